/**
 * A client in a process of its own, so that its CPU time is not the server's: for each line of JSON on stdin one task,
 * its result as JSON on stdout. Where the server is stands on the command line.
 */
import { createInterface } from 'node:readline'
import { openConnections, type Watching } from './connections.ts'
import type { LoadResult, LoadTask } from './load.ts'
import { smallTrainJobText, TRAIN_JOBS, trainJobText } from './train-job.ts'

/** Hostile requests that are made ahead: some are megabytes. */
const HOSTILE_PART = 100

const [server] = process.argv.slice(2)
if (server === undefined) throw new Error('Expected where the server is, as JSON.')
const { request, disturb, watch } = openConnections(JSON.parse(server))
const watches: Watching[] = []
let created = 0
let shown = 0

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await perform(JSON.parse(line) as LoadTask)))
}
process.exit()

async function perform(task: LoadTask): Promise<LoadResult> {
  switch (task.do) {
    case 'create':
      return create(task.count, task.inFlight, trainJobText)
    case 'get':
      return timed(task.inFlight, task.names, (name) => request('GET', `${TRAIN_JOBS}/${name}`, 200))
    case 'delete':
      return timed(task.inFlight, task.names, (name) => request('DELETE', `${TRAIN_JOBS}/${name}`, 200))
    case 'read':
      return timed(1, task.paths, (path) => request('GET', path, 200, undefined, task.accept))
    case 'pages':
      return pages(task.limit, task.accept)
    case 'hostile': {
      const { sample } = await import('fast-check')
      const { hostileRequests } = await import('../../packages/local/src/server/testing/hostile-requests.ts')
      let ms = 0
      for (let done = 0; done < task.count; done += HOSTILE_PART) {
        const part = sample(hostileRequests, { numRuns: HOSTILE_PART, seed: task.seed + done })
        ms += (await timed(4, part, disturb)).ms
      }
      return { ms, names: [] }
    }
    case 'watch': {
      const { metadata } = JSON.parse((await request('GET', `${TRAIN_JOBS}?limit=1`, 200)).toString())
      const path = `${TRAIN_JOBS}?watch=true&resourceVersion=${metadata.resourceVersion}`
      return timed(1, Array(task.watchers).fill(path), async () => watches.push(await watch(path)))
    }
    case 'fan-out': {
      shown += task.count
      const start = performance.now()
      const { names } = await create(task.count, task.inFlight, smallTrainJobText)
      await Promise.all(watches.map((one) => one.events(shown)))
      return { ms: performance.now() - start, names }
    }
  }
}

async function pages(limit: number, accept: string): Promise<LoadResult> {
  const start = performance.now()
  let next = ''
  do {
    const path = `${TRAIN_JOBS}?limit=${limit}${next && `&continue=${encodeURIComponent(next)}`}`
    const { metadata } = JSON.parse((await request('GET', path, 200, undefined, accept)).toString())
    next = metadata.continue ?? ''
  } while (next !== '')
  return { ms: performance.now() - start, names: [] }
}

async function create(count: number, inFlight: number, text: (name: string) => string): Promise<LoadResult> {
  const names = Array.from({ length: count }, () => `bench-${String(created++).padStart(7, '0')}`)
  const bodies = names.map((name) => Buffer.from(text(name)))
  const { ms } = await timed(inFlight, bodies, (body) => request('POST', TRAIN_JOBS, 201, body))
  return { ms, names }
}

/** Deals with all of them, `inFlight` at a time. */
async function timed<T>(
  inFlight: number,
  items: readonly T[],
  deal: (item: T) => Promise<unknown>,
): Promise<LoadResult> {
  let next = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (next < items.length) await deal(items[next++] as T)
    }),
  )
  return { ms: performance.now() - start, names: [] }
}
