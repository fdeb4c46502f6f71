import { type Client, createClient, httpTransport, loadClusterConfig } from '@trainjob/kube'
import { toTrainerError } from './to-trainer-error.ts'
import type { ConnectOptions } from './trainer-client.ts'

/** Reads the kubeconfig and makes a client for the context; sends nothing yet. Rejects with `TrainerError` `config`. */
export async function connectToCluster(options: ConnectOptions): Promise<{ client: Client; namespace: string }> {
  try {
    const { kubeconfig, ...more } = options
    const config = await loadClusterConfig({ ...more, ...(kubeconfig !== undefined && { path: kubeconfig }) })
    return {
      client: createClient(httpTransport(config)),
      namespace: options.namespace ?? config.namespace ?? 'default',
    }
  } catch (error) {
    throw toTrainerError(error, 'connect to a cluster')
  }
}
