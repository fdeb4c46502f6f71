import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { isAlive } from '../testing/test-node.ts'
import { readFrames } from './read-frames.ts'
import { createSpawner, type SpawnedProcess, type Spawner } from './spawner.ts'

const spawners: Spawner[] = []
afterEach(() => {
  for (const spawner of spawners.splice(0)) spawner.close()
})

async function ready(): Promise<Spawner> {
  const spawner = createSpawner()
  spawners.push(spawner)
  expect(await spawner.prepare()).toBe(true)
  return spawner
}

const env = { PATH: process.env.PATH ?? '' }

function sh(
  spawner: Spawner,
  script: string,
): SpawnedProcess & { readonly output: () => { out: string; err: string } } {
  const text = { stdout: '', stderr: '' }
  const spawned = spawner.start({ argv: ['sh', '-c', script], cwd: '/', env }, (stream, chunk) => {
    text[stream] += chunk
  })
  if (spawned === undefined) throw new Error('expected a spawner that is ready')
  return { ...spawned, output: () => ({ out: text.stdout, err: text.stderr }) }
}

/** The process in which the spawner lives. */
function parentOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }))
}

describe('a spawner', () => {
  it('leaves the first processes to the engine, and takes over once it is up', async () => {
    const spawner = createSpawner()
    spawners.push(spawner)
    const start = () => spawner.start({ argv: ['true'], cwd: '/', env }, () => {})
    expect(start()).toBeUndefined()
    await spawner.prepare()
    expect(await start()?.ended).toEqual({ code: 0 })
  })

  it('says why a process cannot be started', async () => {
    const spawner = await ready()
    const start = (argv: string[], cwd = '/') => spawner.start({ argv, cwd, env }, () => {})?.started
    expect(await start(['there-is-no-such-program'])).toMatchObject({ code: 'ENOENT' })
    expect(await start(['true'], '/there/is/no/such/folder')).toMatchObject({ code: 'ENOENT' })
    expect(await start(['true', 'a'.repeat(4 << 20)])).toMatchObject({ code: 'E2BIG' })
  })

  it('passes on everything that many processes print at once', async () => {
    const spawner = await ready()
    const all = Array.from({ length: 20 }, (_, i) =>
      sh(spawner, `seq ${1000 * i + 1} ${1000 * i + 999}; seq 1 20000 >&2`),
    )
    for (const [i, one] of all.entries()) {
      expect(await one.ended).toEqual({ code: 0 })
      await one.drain()
      const { out, err } = one.output()
      expect(out.split('\n')).toHaveLength(1000)
      expect(out.startsWith(`${1000 * i + 1}\n`)).toBe(true)
      expect(err.endsWith('\n19999\n20000\n')).toBe(true)
      expect(err.split('\n')).toHaveLength(20_001)
    }
  })

  it('does not wait for somebody else who holds the output', async () => {
    const spawner = await ready()
    const moved = 'until [ "$(ps -o sid= -p $! | tr -d " ")" = $! ]; do :; done'
    const one = sh(spawner, `setsid sleep 30 & echo $!; ${moved}`)
    await one.ended
    await one.drain()
    const holder = Number(one.output().out)
    expect(isAlive(holder)).toBe(true)
    process.kill(holder, 'SIGKILL')
  })

  it('that is killed takes with it what it started, and is replaced', async () => {
    const spawner = await ready()
    const one = sh(spawner, 'sleep 30')
    const pid = (await one.started) as number
    process.kill(parentOf(pid), 'SIGKILL')
    expect(await one.ended).toEqual({ code: 137, signal: 9 })
    await one.drain()
    expect(await spawner.prepare()).toBe(true)
    expect(await sh(spawner, 'exit 3').ended).toEqual({ code: 3 })
  })

  it('that is closed ends what it started', async () => {
    const spawner = await ready()
    const one = sh(spawner, 'sleep 30 & sleep 30')
    const pid = (await one.started) as number
    spawner.close()
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
    expect(spawner.start({ argv: ['true'], cwd: '/', env }, () => {})).toBeUndefined()
  })
})

describe('frames', () => {
  it('come out as they went in, however they were cut', () => {
    const frame = fc.record({
      kind: fc.constantFrom('o', 'e', 'x'),
      id: fc.nat(2 ** 32 - 1),
      bytes: fc.uint8Array({ maxLength: 50 }),
    })
    fc.assert(
      fc.property(fc.array(frame), fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (frames, cuts) => {
        const whole = Buffer.concat(
          frames.flatMap(({ kind, id, bytes }) => {
            const head = Buffer.alloc(9, kind)
            head.writeUInt32LE(id, 1)
            head.writeUInt32LE(bytes.length, 5)
            return [head, bytes]
          }),
        )
        const got: typeof frames = []
        const read = readFrames((kind, id, bytes) => got.push({ kind: kind as 'o', id, bytes: Uint8Array.from(bytes) }))
        for (let at = 0, turn = 0; at < whole.length; turn++) {
          const size = cuts[turn % cuts.length] as number
          read(whole.subarray(at, at + size))
          at += size
        }
        expect(got).toEqual(frames)
      }),
    )
  })
})
