import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ContainerLog, createContainerLog } from './container-log.ts'
import { MAX_LINE_BYTES } from './cri-line.ts'
import { readLog } from './read-log.ts'

const START = Date.parse('2026-12-01T10:00:00.250Z')
let dir: string
let now: number
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trainjob-log-'))
  now = START
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

function open(
  name = 'a.log',
  onFailure: (error: Error) => void = (error) => expect.unreachable(error.message),
): ContainerLog {
  return createContainerLog({ path: join(dir, name), now: () => now, onFailure })
}
async function read(log: ContainerLog, options: Parameters<typeof readLog>[1] = {}): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readLog({ path: log.path, live: log }, options, now)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
const print = (log: ContainerLog, text: string, stream: 'stdout' | 'stderr' = 'stdout') =>
  log.write(stream, Buffer.from(text))

describe('container log', () => {
  it('keeps a record a line, as container runtimes do', () => {
    const log = open()
    print(log, 'one\ntw')
    now += 1500
    print(log, 'oops\n', 'stderr')
    print(log, 'o\nrest')
    log.close()
    expect(readFileSync(log.path, 'utf8')).toBe(
      '2026-12-01T10:00:00.250000000Z stdout F one\n' +
        '2026-12-01T10:00:01.750000000Z stderr F oops\n' +
        '2026-12-01T10:00:01.750000000Z stdout F two\n' +
        '2026-12-01T10:00:01.750000000Z stdout F rest\n',
    )
  })

  it('never goes back in time, whatever the clock does', () => {
    const log = open()
    print(log, 'a\n')
    now -= 5000
    print(log, 'b\n')
    const times = readFileSync(log.path, 'utf8')
      .split('\n')
      .map((line) => line.slice(0, 30))
    expect(times[1]).toBe(times[0])
  })

  it('gives back every byte of one stream, however it comes in pieces', async () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .constantFrom('\n', 'line\n', '\n\n', 'é', 'x'.repeat(MAX_LINE_BYTES), 'y'.repeat(2 * MAX_LINE_BYTES + 1))
        .map((s) => Buffer.from(s)),
    )
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const log = open(`p${run++}.log`)
        for (const bytes of pieces) log.write('stdout', Buffer.from(bytes))
        log.close()
        const all = Buffer.concat(pieces)
        const chunks: Uint8Array[] = []
        for await (const chunk of readLog({ path: log.path, live: log }, {}, now)) chunks.push(chunk)
        // A last line without its end gets one.
        const ended = all.length === 0 || all.at(-1) === 0x0a ? all : Buffer.concat([all, Buffer.from('\n')])
        expect(Buffer.concat(chunks).equals(ended)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('reports a full disk once, and goes on without a file', () => {
    const failures: string[] = []
    const log = createContainerLog({
      path: '/dev/full',
      now: () => now,
      onFailure: (error) => failures.push(error.message),
    })
    print(log, 'lost\n')
    print(log, 'lost too\n')
    log.close()
    expect(failures).toEqual([expect.stringContaining('ENOSPC')])
  })
})

describe('reading a log', () => {
  function twenty(): ContainerLog {
    const log = open()
    for (let i = 0; i < 20; i++) {
      print(log, `line ${i}\n`)
      now += 1000
    }
    return log
  }

  it.each([
    [{ tailLines: 2 }, 'line 18\nline 19\n'],
    [{ tailLines: 0 }, ''],
    [{ sinceSeconds: 2 }, 'line 18\nline 19\n'],
    [{ sinceTime: '2026-12-01T10:00:19Z' }, 'line 19\n'],
    [{ sinceTime: '2026-12-01T12:00:19.25+02:00' }, 'line 19\n'],
    [{ sinceTime: '2030-01-01T00:00:00Z' }, ''],
    [{ tailLines: 3, sinceSeconds: 1 }, 'line 19\n'],
    [{ limitBytes: 10 }, 'line 0\nlin'],
    [{ tailLines: 1, timestamps: true }, '2026-12-01T10:00:19.250000000Z line 19\n'],
  ])('%j', async (options, text) => {
    expect(await read(twenty(), options)).toBe(text)
  })

  it('shows everything when more lines are asked for than there are', async () => {
    expect((await read(twenty(), { tailLines: 100 })).split('\n')).toHaveLength(21)
  })

  it('finds the tail of a file of many blocks', async () => {
    const log = open()
    for (let i = 0; i < 5000; i++) print(log, `${i} ${'x'.repeat(50)}\n`)
    const tail = (await read(log, { tailLines: 3000 })).split('\n')
    expect(tail).toHaveLength(3001)
    expect(tail[0]).toMatch(/^2000 /)
  })

  it('puts one time in front of a line that was kept in parts', async () => {
    const log = open()
    print(log, `${'x'.repeat(MAX_LINE_BYTES + 5)}\n`)
    expect((await read(log, { timestamps: true })).match(/2026/g)).toHaveLength(1)
  })

  it('is empty for a container that printed nothing', async () => {
    const log = open()
    log.close()
    expect(await read(log, { follow: true })).toBe('')
  })

  it('follows: first what is there, then what comes, until the container ends', async () => {
    const log = open()
    print(log, 'before\n')
    const reader = readLog({ path: log.path, live: log }, { follow: true }, now)
    const next = async () => Buffer.from((await reader.next()).value ?? []).toString()
    expect(await next()).toBe('before\n')
    const soon = next()
    print(log, 'after\n')
    expect(await soon).toBe('after\n')
    // Written while nobody waits: read from the file.
    print(log, 'a\n')
    print(log, 'b\n')
    expect(await next()).toBe('a\nb\n')
    const last = reader.next()
    print(log, 'no line end')
    log.close()
    expect(Buffer.from((await last).value ?? []).toString()).toBe('no line end\n')
    expect((await reader.next()).done).toBe(true)
  })

  it('follows from before the first line', async () => {
    const log = open()
    const reader = readLog({ path: log.path, live: log }, { follow: true, tailLines: 5 }, now)
    const first = reader.next()
    await new Promise((resolve) => setImmediate(resolve))
    print(log, 'here\n')
    expect(Buffer.from((await first).value ?? []).toString()).toBe('here\n')
    log.close()
    expect((await reader.next()).done).toBe(true)
  })

  it('stops following when it is told to', async () => {
    const log = open()
    const stop = new AbortController()
    const reader = readLog({ path: log.path, live: log }, { follow: true, signal: stop.signal }, now)
    const next = reader.next()
    await new Promise((resolve) => setImmediate(resolve))
    stop.abort()
    expect((await next).done).toBe(true)
  })

  it('loses nothing to any number of followers, whatever their speed', async () => {
    const log = open()
    const follow = async (pause: number) => {
      let text = ''
      for await (const chunk of readLog({ path: log.path, live: log }, { follow: true }, now)) {
        text += Buffer.from(chunk).toString()
        for (let i = 0; i < pause; i++) await new Promise((resolve) => setImmediate(resolve))
      }
      return text
    }
    const readers = [0, 1, 3, 10].map(follow)
    let expected = ''
    for (let i = 0; i < 300; i++) {
      print(log, `line ${i}\n`)
      expected += `line ${i}\n`
      if (i % 7 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    log.close()
    for (const text of await Promise.all(readers)) expect(text).toBe(expected)
  })
})
