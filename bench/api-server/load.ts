import path from 'node:path'
import { startLines } from '@trainjob/test/oracle'
import type { ServerAddress } from './server.ts'

/** What a client does at a server's TrainJobs, `inFlight` requests at a time. */
export type LoadTask =
  | { readonly do: 'create'; readonly count: number; readonly inFlight: number }
  | { readonly do: 'get'; readonly names: readonly string[]; readonly inFlight: number }
  | { readonly do: 'delete'; readonly names: readonly string[]; readonly inFlight: number }
  /** Any paths, one after the other. */
  | { readonly do: 'read'; readonly paths: readonly string[]; readonly accept?: string }
  /** All of a list in pages, as kubectl reads it. */
  | { readonly do: 'pages'; readonly limit: number; readonly accept: string }
  /** Requests that nobody should send; what becomes of them does not matter. */
  | { readonly do: 'hostile'; readonly count: number; readonly seed: number }
  /** Opens so many watches, which stay open. */
  | { readonly do: 'watch'; readonly watchers: number }
  /** Creates so many small objects and waits until every watch has shown all of them. */
  | { readonly do: 'fan-out'; readonly count: number; readonly inFlight: number }

/** How a task went. */
export interface LoadResult {
  readonly ms: number
  /** Of the objects that were created. */
  readonly names: readonly string[]
}

/** A client in a process of its own. */
export interface Load extends AsyncDisposable {
  /** Rejects when the server answers anything but what is expected. */
  perform(task: LoadTask): Promise<LoadResult>
}

/** Starts a client of a server; disposing of it ends the process. */
export function startLoad(server: ServerAddress): Load {
  const lines = startLines(process.execPath, [
    path.join(import.meta.dirname, 'load-process.ts'),
    JSON.stringify(server),
  ])
  return {
    perform: async (task) => JSON.parse(await lines.send(JSON.stringify(task))) as LoadResult,
    [Symbol.asyncDispose]: () => lines[Symbol.asyncDispose](),
  }
}
