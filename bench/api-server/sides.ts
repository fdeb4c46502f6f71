import { type Load, startLoad } from './load.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'
import { startPeerServer } from './peer-server.ts'
import type { MeasuredServer } from './server.ts'

/** A server and the client that keeps it busy. */
export interface Side<S extends MeasuredServer = MeasuredServer> {
  readonly server: S
  readonly load: Load
}

/** Ourselves and the peer, if it can be had, side by side. */
export interface Sides extends AsyncDisposable {
  readonly ours: Side<OwnServer>
  readonly peer: Side | undefined
}

/** Starts both. */
export async function startSides(store: 'memory' | 'sqlite'): Promise<Sides> {
  await using started = new AsyncDisposableStack()
  const sideOf = <S extends MeasuredServer>(server: S): Side<S> => ({
    server: started.use(server),
    load: started.use(startLoad(server.address)),
  })
  const ours = sideOf(await startOwnServer(store))
  const peerServer = await startPeerServer()
  const peer = peerServer && sideOf(peerServer)
  const parts = started.move()
  return { ours, peer, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

/** A row's peer that is a figure to stay below. */
export function askedFor(most: number): { name: string; version: string; figures: number[] } {
  return { name: 'asked for', version: 'at most', figures: [most] }
}
