import { createClient } from '@trainjob/kube'
import { type SocketConfig, socketTransport } from '@trainjob/kube/socket'
import type { TrainerClient } from '@trainjob/sdk'
import type { Connection } from './connection.ts'

/** Opens a local cluster through its socket. Loads next to nothing: a short command should be a short wait. */
export function connectToSocket(config: SocketConfig, namespace: string): Connection {
  const kube = createClient(socketTransport(config))
  let trainer: Promise<TrainerClient> | undefined
  return {
    kube,
    openTrainer() {
      trainer ??= import('@trainjob/sdk').then(({ TrainerClient }) => TrainerClient.over(kube, { namespace }))
      return trainer
    },
    namespace,
    close: () => kube.close(),
  }
}
