import type { ContainerState, Pod } from '@trainjob/api'
import { ApiError, type Client, ConnectionError, type LogOptions } from '@trainjob/kube'
import { compareTimestamps } from './timestamp.ts'

interface Run {
  readonly lines: { readonly time: string; readonly text: string }[]
  ended: boolean
}

/** A container as a kubelet runs it and an API server shows it: every step is taken by hand, news are late until told. */
export interface SimulatedContainer {
  readonly client: Client
  /** Everything it ever wrote. */
  readonly written: readonly string[]
  /** The pod as the last news had it. */
  readonly pod: Pod
  readonly running: boolean
  start(): void
  write(text: string, sameTime: boolean): void
  exit(): void
  /** Answers to requests for logs come late, with what is there then, until it is called with `false`. */
  lag(on: boolean): void
  /** Ends open logs although the container runs on. */
  cut(how: 'clean' | 'broken'): void
  /** The news reach the API. */
  tell(): void
  /** The pod will not run again. */
  finish(): void
}

export function simulateContainer(): SimulatedContainer {
  const runs: Run[] = []
  const written: string[] = []
  const readers = new Set<{ wake(): void; cut?: 'clean' | 'broken' }>()
  let tick = 0
  let over = false
  let lagging: PromiseWithResolvers<void> | undefined
  let pod = podOf()

  function current(): Run | undefined {
    return runs.at(-1)
  }

  function podOf(): Pod {
    const run = current()
    const terminated = { exitCode: 1 }
    const state: ContainerState =
      run === undefined ? { waiting: {} } : run.ended ? (over ? { terminated } : { waiting: {} }) : { running: {} }
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'pod', namespace: 'default', uid: 'pod' },
      spec: { containers: [{ name: 'node' }] },
      status: {
        phase: over ? 'Failed' : run === undefined ? 'Pending' : 'Running',
        containerStatuses: [
          {
            name: 'node',
            ready: false,
            image: '',
            imageID: '',
            restartCount: Math.max(0, runs.length - 1),
            state,
            ...((runs.length > 1 || run?.ended === true) && { lastState: { terminated } }),
          },
        ],
      },
    }
  }

  async function* logs(options: LogOptions): AsyncGenerator<Uint8Array> {
    await lagging?.promise
    const run = runs.at(options.previous === true ? -2 : -1)
    if (run === undefined)
      throw new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 400 })
    const { sinceTime } = options
    const isSince = (time: string) => sinceTime === undefined || compareTimestamps(time, sinceTime) >= 0
    const reader: { wake(): void; cut?: 'clean' | 'broken' } = { wake() {} }
    readers.add(reader)
    try {
      for (let at = 0; ; ) {
        const fresh = run.lines.slice(at)
        at += fresh.length
        for (const { time, text } of fresh) if (isSince(time)) yield Buffer.from(`${time} ${text}\n`)
        if (at < run.lines.length) continue
        if (run.ended || options.follow !== true || reader.cut === 'clean') return
        if (reader.cut === 'broken') throw new ConnectionError('reset')
        await new Promise<void>((resolve) => {
          reader.wake = resolve
        })
      }
    } finally {
      readers.delete(reader)
    }
  }

  function wake(): void {
    for (const reader of readers) reader.wake()
  }

  return {
    client: { logs: (_: unknown, options: LogOptions = {}) => logs(options) } as unknown as Client,
    written,
    get pod() {
      return pod
    },
    get running() {
      return current()?.ended === false
    },
    start() {
      runs.push({ lines: [], ended: false })
    },
    write(text, sameTime) {
      if (!sameTime || (current()?.lines.length ?? 0) === 0) tick++
      current()?.lines.push({ time: `2026-01-01T00:00:00.${String(tick).padStart(6, '0')}Z`, text })
      written.push(text)
      wake()
    },
    exit() {
      const run = current()
      if (run !== undefined) run.ended = true
      wake()
    },
    lag(on) {
      lagging?.resolve()
      lagging = on ? Promise.withResolvers<void>() : undefined
    },
    cut(how) {
      for (const reader of readers) reader.cut = how
      wake()
    },
    tell() {
      pod = podOf()
    },
    finish() {
      this.exit()
      over = true
      this.tell()
    },
  }
}
