import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSizeQueue } from '../server/exec/size-queue.ts'
import type { ContainerSpec, ExecSpec, Runner, RunningContainer } from './runner.ts'

/** A runner under test, and what tells whether a process lives where it runs them. */
export interface RunnerUnderTest {
  readonly runner: Runner
  /** `pid` as the container knows it. */
  isAlive(pid: number): boolean
}

/** How a runner differs from one that starts processes of this machine. */
export interface RunnerTraits {
  /** An image with a shell and the usual tools, whose user is root. */
  readonly image?: string
}

/** What every runner has to keep to. `create` makes one that may use the folder. */
export function describeRunner(
  name: string,
  create: (dir: string) => RunnerUnderTest | Promise<RunnerUnderTest>,
  { image }: RunnerTraits = {},
): void {
  // In an image only what it brings is known beforehand, and its first process hears no signal it does not ask for.
  const onMachine = it.runIf(image === undefined)
  describe(`runner: ${name}`, () => {
    let dir: string
    let runner: Runner
    let isAlive: (pid: number) => boolean
    let count = 0
    beforeEach(async () => {
      dir = mkdtempSync(join(tmpdir(), 'trainjob-runner-'))
      ;({ runner, isAlive } = await create(join(dir, 'runner')))
    })
    afterEach(async () => {
      await runner.close()
      rmSync(dir, { recursive: true, force: true })
    })

    function start(
      spec: Partial<ContainerSpec> & Pick<ContainerSpec, 'argv'>,
    ): RunningContainer & { output: () => string } {
      const printed: string[] = []
      const container = runner.start({
        id: `test/${count++}`,
        cwd: dir,
        env: { PATH: process.env.PATH ?? '' },
        onOutput: (stream, chunk) => printed.push(`${stream === 'stderr' ? '!' : ''}${chunk}`),
        ...spec,
        mounts: [
          ...(spec.mounts ?? []),
          // a folder of this machine is nothing that a container knows
          ...(image === undefined ? [] : [{ source: dir, target: dir }]),
        ],
        ...(image !== undefined && { image: { name: image, pull: 'Never', replacesEntrypoint: true } }),
      })
      return Object.assign(container, { output: () => printed.join('') })
    }
    const sh = (script: string, spec: Partial<ContainerSpec> = {}) => start({ argv: ['sh', '-c', script], ...spec })
    const printed = async (container: { output: () => string }, pattern: RegExp): Promise<RegExpExecArray> => {
      for (;;) {
        const match = pattern.exec(container.output())
        if (match !== null) return match
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    const gone = async (pid: number): Promise<void> => {
      while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 5))
    }

    it('hands over all output before the exit', async () => {
      const container = sh('echo out; echo err >&2; seq 1 20000')
      expect(await container.exit).toEqual({ code: 0 })
      expect(container.output()).toContain('out\n')
      expect(container.output()).toContain('!err\n')
      expect(container.output()).toContain('\n20000\n')
    })

    it.each([
      ['exit 0', 0],
      ['exit 3', 3],
    ])('%s ends with %i', async (script, code) => {
      expect((await sh(script).exit).code).toBe(code)
    })

    onMachine.each([
      ['kill -TERM $$', 143],
      ['kill -KILL $$', 137],
    ])('%s ends with %i', async (script, code) => {
      expect((await sh(script).exit).code).toBe(code)
    })

    it('gives the process its folder, its arguments as they are, and its env only', async () => {
      const script = 'printf "%s|" "$PWD" "$1" "$2" "$MINE" "$USER_SECRET_OF_TEST"'
      process.env.USER_SECRET_OF_TEST = 'leaked'
      try {
        const container = start({
          argv: ['sh', '-c', script, 'sh', 'a b', '$x*'],
          env: { PATH: process.env.PATH ?? '', MINE: 'yes' },
        })
        await container.exit
        expect(container.output()).toBe(`${dir}|a b|$x*|yes||`)
      } finally {
        delete process.env.USER_SECRET_OF_TEST
      }
    })

    it('says that a program is not found', async () => {
      const container = start({ argv: ['no-such-program-of-trainjob'] })
      expect(await container.started).toBe(false)
      expect(await container.exit).toEqual({
        code: 127,
        startFailure: expect.stringMatching(/no-such-program-of-trainjob.*not found/),
      })
    })

    onMachine('says that a file is not executable', async () => {
      writeFileSync(join(dir, 'script'), '#!/bin/sh\n', { mode: 0o644 })
      const exit = await start({ argv: ['./script'] }).exit
      expect(exit).toEqual({ code: 126, startFailure: expect.stringContaining('chmod +x') })
    })

    onMachine('says that the working directory does not exist', async () => {
      const exit = await sh('true', { cwd: join(dir, 'nowhere') }).exit
      expect(exit).toEqual({ code: 127, startFailure: expect.stringContaining('nowhere does not exist') })
    })

    it('terminates every process of the container', async () => {
      const container = sh('trap "echo bye; exit 7" TERM; sleep 100 & echo pid $! && wait')
      const pid = Number((await printed(container, /pid (\d+)/))[1])
      container.terminate()
      expect(await container.exit).toEqual({ code: 7 })
      expect(container.output()).toContain('bye')
      await gone(pid)
    })

    it('kills a tree that ignores SIGTERM, also its part in another session', async () => {
      const container = sh(
        'trap "" TERM; (trap "" TERM; setsid sh -c "echo away \\$\\$; sleep 100; sleep 100" & sleep 100) & echo ready; sleep 100; sleep 100',
      )
      const pid = Number((await printed(container, /away (\d+)/))[1])
      await printed(container, /ready/)
      container.terminate()
      container.kill()
      expect(await container.exit).toMatchObject({ code: 137 })
      await gone(pid)
    })

    it('ends the container with its first process', async () => {
      const container = sh('sleep 100 & echo pid $!')
      const pid = Number((await printed(container, /pid (\d+)/))[1])
      expect(await container.exit).toEqual({ code: 0 })
      await gone(pid)
    })

    it('does not wait for output of a process that left', async () => {
      const container = sh('setsid sleep 100 & echo pid $!')
      expect(await container.exit).toEqual({ code: 0 })
      await gone(Number((await printed(container, /pid (\d+)/))[1]))
    })

    it('kills what is left when it closes', async () => {
      const container = sh('trap "" TERM; setsid sleep 100 & echo pid $!; sleep 100; sleep 100')
      const pid = Number((await printed(container, /pid (\d+)/))[1])
      await runner.close()
      expect(await container.exit).toMatchObject({ code: 137 })
      await gone(pid)
    })

    const exec = async (container: RunningContainer, script: string, more: Partial<ExecSpec> = {}) => {
      const out: string[] = []
      const exit = await container.exec({
        argv: ['sh', '-c', script],
        onOutput(stream, chunk) {
          out.push(`${stream === 'stderr' ? '!' : ''}${chunk}`)
        },
        signal: new AbortController().signal,
        ...more,
      })
      return { exit, out: out.join('') }
    }

    it('runs commands beside the first process, in its folder and env and with its mounts', async () => {
      writeFileSync(join(dir, 'x'), 'hello')
      const container = sh('echo ready; sleep 100', {
        env: { PATH: process.env.PATH ?? '', MINE: 'yes' },
        cwd: '/trainjob-exec',
        mounts: [{ source: dir, target: '/trainjob-exec' }],
      })
      await printed(container, /ready/)
      expect(await exec(container, 'printf "%s|" "$PWD" "$MINE"; cat x; echo e >&2; exit 3')).toEqual({
        exit: { code: 3 },
        out: '/trainjob-exec|yes|hello!e\n',
      })
      container.kill()
      await container.exit
    })

    it('gives a command what is sent to it', async () => {
      const container = sh('echo ready; sleep 100')
      await printed(container, /ready/)
      const stdin = (async function* () {
        yield Buffer.from('one\n')
        yield Buffer.from('two')
      })()
      expect((await exec(container, 'cat; echo " end"', { stdin })).out).toBe('one\ntwo end\n')
      container.kill()
      await container.exit
    })

    it('says that a command is not found', async () => {
      const container = sh('echo ready; sleep 100')
      await printed(container, /ready/)
      const { exit } = await exec(container, '', { argv: ['no-such-program-of-trainjob'] })
      expect([126, 127]).toContain(exit.code)
      expect(exit.startFailure).toContain('no-such-program-of-trainjob')
      container.kill()
      await container.exit
    })

    it('ends a command with its user, and with its container', async () => {
      const container = sh('echo ready; sleep 100')
      await printed(container, /ready/)
      const leaving = new AbortController()
      const abandoned = exec(container, 'sleep 100', { signal: leaving.signal })
      leaving.abort()
      expect((await abandoned).exit.code).not.toBe(0)
      const orphaned = exec(container, 'sleep 100')
      container.kill()
      expect((await orphaned).exit.code).not.toBe(0)
      await container.exit
    })

    it('reads what is sent to a container that asks for it', async () => {
      const container = sh('cat; echo end', { stdin: true })
      container.input(Buffer.from('hello\n'))
      container.input(undefined)
      expect((await container.exit).code).toBe(0)
      expect(container.output()).toBe('hello\nend\n')
    })

    it('gives a container a terminal of the size that its user has', async () => {
      const container = sh('trap "stty size" WINCH; echo on; until read word; do :; done; echo "got $word"', {
        tty: true,
        stdin: true,
      })
      await printed(container, /on\r\n/)
      expect(container.atTerminal).toBe(true)
      container.resize({ columns: 91, rows: 37 })
      await printed(container, /37 91\r\n/)
      container.input(Buffer.from('hello\r'))
      expect((await container.exit).code).toBe(0)
      expect(container.output()).toContain('got hello\r\n')
      expect(container.output()).not.toContain('!')
    })

    it('gives a command a terminal of the size that its user has', async () => {
      const container = sh('echo ready; sleep 100')
      await printed(container, /ready/)
      const sizes = createSizeQueue()
      sizes.push({ columns: 80, rows: 22 })
      const script = 'while test "$(stty size)" != "22 80"; do sleep 0.05; done; read word; echo "got $word"; exit 6'
      const stdin = (async function* () {
        yield Buffer.from('hello\r')
        // a user who goes on looking
        await new Promise(() => {})
      })()
      const { exit, out } = await exec(container, script, { terminal: sizes, stdin })
      expect(exit.code).toBe(6)
      expect(out).toMatch(/^[^!]*got hello\r\n$/)
      sizes.end()
      container.kill()
      await container.exit
    })

    it('shows mounts at absolute paths, and leaves nothing on the machine', async () => {
      const data = join(dir, 'data')
      mkdirSync(join(data, 'inner'), { recursive: true })
      writeFileSync(join(data, 'x'), 'hello')
      writeFileSync(join(dir, 'hosts'), '127.0.0.1 somewhere')
      const container = sh('cat /trainjob-test/a/x /etc/hosts; pwd; echo new > /trainjob-test/a/inner/y; id -u', {
        cwd: '/trainjob-test/a/inner',
        mounts: [
          { source: data, target: '/trainjob-test/a' },
          { source: join(dir, 'hosts'), target: '/etc/hosts' },
        ],
      })
      expect(await container.exit).toEqual({ code: 0 })
      expect(container.output()).toBe(
        `hello127.0.0.1 somewhere/trainjob-test/a/inner\n${image === undefined ? process.getuid?.() : 0}\n`,
      )
      expect(readFileSync(join(data, 'inner/y'), 'utf8')).toBe('new\n')
      expect(existsSync('/trainjob-test')).toBe(false)
    })

    it('mounts read-only', async () => {
      const container = sh('echo x > /trainjob-ro/file', {
        mounts: [{ source: dir, target: '/trainjob-ro', readOnly: true }],
      })
      expect((await container.exit).code).not.toBe(0)
      expect(existsSync(join(dir, 'file'))).toBe(false)
    })

    it('says that a program is not found inside of mounts too', async () => {
      const exit = await start({ argv: ['/trainjob-test/run'], mounts: [{ source: dir, target: '/trainjob-test' }] })
        .exit
      expect(exit).toMatchObject({ code: 127, startFailure: expect.stringMatching(/does not exist|no such file/i) })
    })
  })
}
