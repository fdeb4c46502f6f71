import { type BenchmarkRow, toRow } from '../row.ts'
import { type Load, type LoadTask, startLoad } from './load.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'
import { askedFor } from './sides.ts'

const OBJECTS = 10_000
const ROUNDS = 5
const HOSTILE = 10_000
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

/** What an answer may take of the event loop at once, in ms. */
const MOST = { list: 20, hostile: 100, openApi: 100 }

/**
 * How long requests hold up everybody else: the longest turn of the event loop while lists of 10,000 TrainJobs are read
 * in each form, while 10,000 hostile requests come in, and while a fresh server is asked for all of OpenAPI. The worst
 * of all rounds counts, once by the clock and once in CPU time of the thread, which other programs cannot spoil.
 */
export async function stallBench(): Promise<BenchmarkRow[]> {
  await using parts = new AsyncDisposableStack()
  const rows: BenchmarkRow[] = []
  const openApi: Longest = { wall: [], cpu: [] }
  for (let round = 0; round < ROUNDS; round++) await inFreshServer(openApi)
  rows.push(...rowsOf('OpenAPI for the first time', openApi, MOST.openApi))

  const server = parts.use(await startOwnServer('memory'))
  const load = parts.use(startLoad(server.address))
  await load.perform({ do: 'create', count: OBJECTS, inFlight: 16 })
  const collection = '/apis/trainer.kubeflow.org/v1alpha1/trainjobs'
  const lists: Readonly<Record<string, LoadTask>> = {
    'list of 10,000, JSON': { do: 'read', paths: [collection] },
    'list of 10,000, Table': { do: 'read', paths: [collection], accept: TABLE },
    'list of 10,000, Table in pages of 500': { do: 'pages', limit: 500, accept: TABLE },
  }
  for (const [name, task] of Object.entries(lists)) {
    const found: Longest = { wall: [], cpu: [] }
    for (let round = 0; round < ROUNDS; round++) await measure(server, load, task, found)
    rows.push(...rowsOf(name, found, MOST.list))
  }
  const hostile: Longest = { wall: [], cpu: [] }
  const seed = Math.trunc(Math.random() * 2 ** 31)
  process.stderr.write(`hostile requests: seed ${seed}\n`)
  await measure(server, load, { do: 'hostile', count: HOSTILE, seed }, hostile)
  rows.push(...rowsOf(`${HOSTILE} hostile requests`, hostile, MOST.hostile))
  return rows
}

interface Longest {
  readonly wall: number[]
  readonly cpu: number[]
}

async function inFreshServer(found: Longest): Promise<void> {
  await using server = await startOwnServer('memory')
  await using load = startLoad(server.address)
  // the first request of all is another matter
  await load.perform({ do: 'read', paths: ['/version', '/openapi/v3'] })
  const groups = ['api/v1', 'apis/batch/v1', 'apis/jobset.x-k8s.io/v1alpha2', 'apis/trainer.kubeflow.org/v1alpha1']
  await measure(server, load, { do: 'read', paths: groups.map((group) => `/openapi/v3/${group}`) }, found)
}

async function measure(server: OwnServer, load: Load, task: LoadTask, found: Longest): Promise<void> {
  await server.longestTurn()
  await load.perform(task)
  const { wallMs, cpuMs } = await server.longestTurn()
  found.wall.push(wallMs)
  found.cpu.push(cpuMs)
}

function rowsOf(name: string, { wall, cpu }: Longest, most: number): BenchmarkRow[] {
  const row = { unit: 'ms', peer: askedFor(most), target: 1, worst: true } as const
  return [
    toRow({ ...row, name: `${name}: longest turn`, ours: wall }),
    toRow({ ...row, name: `${name}: longest turn, CPU`, ours: cpu }),
  ]
}
