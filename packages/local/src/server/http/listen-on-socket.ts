import { chmod, rm } from 'node:fs/promises'
import type { Server } from 'node:http'

/** What a socket's address holds on every system that has unix sockets, without the zero at its end. */
const MAX_PATH_BYTES = 103

/**
 * Serves on a unix socket that only the user may open; what was left there by a server that was killed is removed.
 * Answers `undefined` where that cannot be: then clients have another way in.
 */
export async function listenOnSocket(
  path: string,
  keepAliveTimeout: number,
  serveOn: (server: Server) => void,
): Promise<Server | undefined> {
  await rm(path, { force: true })
  if (process.platform === 'win32' || Buffer.byteLength(path) > MAX_PATH_BYTES) return undefined
  // an import would read everything that the module offers, and with that load a client that nobody asked for
  const server = process.getBuiltinModule('node:http').createServer({ keepAliveTimeout })
  serveOn(server)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
    // until here the folder alone keeps others out, and then the token
    await chmod(path, 0o600)
    return server
  } catch {
    // file systems of other systems have no sockets
    server.close()
    await rm(path, { force: true })
    return undefined
  }
}
