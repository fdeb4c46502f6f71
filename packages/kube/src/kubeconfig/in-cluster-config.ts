import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { KubeError } from '../error.ts'
import type { ClusterConfig } from '../transport/cluster-config.ts'
import { fileToken } from './file-token.ts'
import type { Environment } from './load-kubeconfig.ts'

const SERVICE_ACCOUNT_DIR = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The cluster that this process is a pod of, by its service account; `undefined` outside of pods. */
export async function inClusterConfig(
  env: Environment,
  clock: Clock,
  dir: string = SERVICE_ACCOUNT_DIR,
): Promise<ClusterConfig | undefined> {
  const host = env.KUBERNETES_SERVICE_HOST
  const port = env.KUBERNETES_SERVICE_PORT
  if (host === undefined || port === undefined) return undefined
  try {
    const [ca, namespace] = await Promise.all([
      readFile(join(dir, 'ca.crt'), 'utf8'),
      readFile(join(dir, 'namespace'), 'utf8'),
    ])
    return {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      ca,
      credentials: fileToken(join(dir, 'token'), clock),
      namespace: namespace.trim(),
    }
  } catch (error) {
    throw new KubeError(
      'config',
      `expected the files of a service account in ${dir}, found: ${(error as Error).message}; set automountServiceAccountToken on the pod`,
      { cause: error },
    )
  }
}
