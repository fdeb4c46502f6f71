import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createInputQueue, type InputQueue } from '../../server/exec/input-queue.ts'
import { createSizeQueue } from '../../server/exec/size-queue.ts'
import { findExecutable } from '../process/find-executable.ts'
import { createProcessRunner } from '../process/process-runner.ts'
import { createReaper } from '../reaper/reaper.ts'
import type { ContainerExit, Runner, RunningContainer } from '../runner.ts'
import { isAlive } from '../testing/test-node.ts'
import { findTerminalHost } from './terminal-host.ts'

const PATH = process.env.PATH ?? ''

/** Programs of this machine, and no others. */
function pathOf(dir: string, ...programs: readonly string[]): string {
  for (const program of programs) {
    const found = findExecutable(program, '/', PATH)
    if (found.kind === 'found') symlinkSync(found.path, join(dir, program))
  }
  return dir
}

const without = mkdtempSync(join(tmpdir(), 'tj-terminal-'))
const onlyScript = pathOf(without, 'script', 'sh')
const python = findTerminalHost({ PATH })
const script = findTerminalHost({ PATH: onlyScript, SHELL: '/bin/sh' })
afterAll(() => rmSync(without, { recursive: true, force: true }))

describe.each([
  ['python3', python],
  ['script', script],
])('a terminal of %s', (name, host) => {
  let dir: string
  let runner: Runner
  let container: RunningContainer
  let printed: string
  let count = 0
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'tj-terminal-'))
    const engineId = `terminal-${name}-${process.pid}-${count++}`
    runner = createProcessRunner({ engineId, dir, reaper: createReaper({ engineId }), terminals: () => host })
    printed = ''
  })
  afterEach(async () => {
    await runner.close()
    rmSync(dir, { recursive: true, force: true })
  })

  function start(command: string, stdin = false): void {
    container = runner.start({
      id: `c/${count++}`,
      argv: ['sh', '-c', command],
      cwd: dir,
      env: { PATH },
      mounts: [],
      tty: true,
      stdin,
      onOutput(stream, chunk) {
        printed += `${stream === 'stderr' ? '!' : ''}${chunk}`
      },
    })
  }
  const seen = (pattern: RegExp | string) => expect.poll(() => printed, { timeout: 10_000 }).toMatch(pattern)

  it.runIf(host)('is the input and all output of a container', async () => {
    start('echo out; echo err >&2; test -t 0 && test -t 1 && test -t 2 && echo "at one, $TERM"; exit 3')
    expect(await container.exit).toEqual({ code: 3 })
    expect(container.atTerminal).toBe(true)
    expect(printed).toBe('out\r\nerr\r\nat one, xterm\r\n')
  })

  it.runIf(host)('takes what is typed, and shows it', async () => {
    start('read word; echo "got $word"', true)
    container.input(Buffer.from('helk\x7flo\r'))
    await container.exit
    expect(printed).toContain('got hello\r\n')
  })

  it.runIf(host)('has the size it is given, and tells of its changes', async () => {
    start('trap "stty size" WINCH; echo on; while :; do sleep 0.02; done')
    await seen('on')
    container.resize({ columns: 100, rows: 40 })
    await seen(/40 100/)
  })

  it.runIf(host)('ends its container at Ctrl-C', async () => {
    start('echo on; exec sleep 100', true)
    await seen('on')
    container.input(Buffer.from('\x03'))
    expect((await container.exit).code).toBe(130)
  })

  it.runIf(host)('hands on the request to end', async () => {
    start('trap "echo bye; exit 7" TERM; echo on; while :; do sleep 0.02; done')
    await seen('on')
    container.terminate()
    await container.exit
    expect(printed).toContain(name === 'script' ? 'on' : 'bye')
  })

  it.runIf(host)('loses nothing of much output', async () => {
    start('seq 1 100000')
    expect((await container.exit).code).toBe(0)
    expect(printed.length).toBe(688_895)
    expect(printed.endsWith('\r\n99999\r\n100000\r\n')).toBe(true)
  })

  it.runIf(host)('leaves no process behind', async () => {
    start('sleep 1000 & echo "pid $!"; nohup sleep 1000 >/dev/null & echo "pid $!"; wait')
    await seen(/pid[\s\S]*pid/)
    const pids = [...printed.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid))
    container.kill()
    await container.exit
    for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it.runIf(host)('says that a program is not there', async () => {
    start('sleep 100')
    const exit = await container.exec({
      argv: ['no-such-program'],
      terminal: createSizeQueue(),
      onOutput() {},
      signal: new AbortController().signal,
    })
    expect(exit).toEqual({ code: 127, startFailure: expect.stringContaining('not found on PATH') })
  })

  describe('of a command in a container', () => {
    async function exec(
      command: string,
      use: (input: InputQueue, output: () => string) => Promise<void>,
      signal: AbortSignal = new AbortController().signal,
    ): Promise<ContainerExit> {
      const input = createInputQueue(() => {})
      const sizes = createSizeQueue()
      let text = ''
      sizes.push({ columns: 77, rows: 11 })
      const ended = container.exec({
        argv: ['sh', '-c', command],
        stdin: input,
        terminal: sizes,
        onOutput(_, chunk) {
          text += chunk
        },
        signal,
      })
      await use(input, () => text)
      const exit = await ended
      sizes.end()
      return exit
    }

    it.runIf(host)('is its own', async () => {
      start('sleep 100')
      const exit = await exec(
        'until [ "$(stty size)" = "11 77" ]; do sleep 0.02; done; stty -echo; echo on; read a; echo "[$a]"; exit 4',
        async (input, output) => {
          await expect.poll(output, { timeout: 10_000 }).toContain('on\r\n')
          input.push(Buffer.from('secret\r'))
          await expect.poll(output, { timeout: 10_000 }).toBe('on\r\n[secret]\r\n')
        },
      )
      expect(exit.code).toBe(4)
    })

    it.runIf(host)('takes much input for a program that reads slowly', async () => {
      start('sleep 100')
      const lines = 'x'.repeat(999)
      const exit = await exec(
        'stty -echo -icanon; echo on; sleep 0.2; head -c 1000000 | wc -c',
        async (input, output) => {
          await expect.poll(output, { timeout: 10_000 }).toContain('on\r\n')
          for (let count = 0; count < 1_000; count++) input.push(Buffer.from(`${lines}\n`))
          await expect.poll(output, { timeout: 10_000 }).toContain('1000000')
        },
      )
      expect(exit.code).toBe(0)
    })
  })
})

describe('a terminal where none can be made', () => {
  it('is none, and the command has pipes', async () => {
    expect(findTerminalHost({ PATH: '/nowhere' })).toBeUndefined()
    const engineId = `terminal-none-${process.pid}`
    const runner = createProcessRunner({ engineId, dir: tmpdir(), reaper: createReaper({ engineId }) })
    try {
      const container = runner.start({
        id: 'c/1',
        argv: ['sleep', '100'],
        env: { PATH },
        mounts: [],
        tty: true,
        onOutput() {},
      })
      const input = createInputQueue(() => {})
      let text = ''
      const spec = { stdin: input, terminal: createSizeQueue(), signal: new AbortController().signal }
      const onOutput = (_: string, chunk: Buffer): void => {
        text += chunk
      }
      const shell = container.exec({ ...spec, argv: ['sh'], onOutput })
      input.push(Buffer.from('echo a\x7fb\r'))
      await expect.poll(() => text.split('\r\n').slice(1)).toEqual(['echo a\b \bb', 'b', ''])
      expect(text).toMatch(/^no terminal can be made on this machine \(install python3\)/)
      input.push(Buffer.from('\x04'))
      expect(await shell).toEqual({ code: 0 })
      expect(container.atTerminal).toBe(false)
    } finally {
      await runner.close()
    }
  })
})
