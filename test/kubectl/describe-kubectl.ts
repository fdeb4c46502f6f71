import { afterAll, beforeAll, describe } from 'vitest'
import { type BuiltControlPlane, buildControlPlane } from '../control-plane/build.ts'
import { type Kubectl, kubectlOf } from './kubectl.ts'
import { type ServedCluster, serveCluster } from './served-cluster.ts'

const built = await buildControlPlane()
if ('missing' in built) process.stderr.write(`NOT RUN: kubectl on the embedded cluster. ${built.missing}\n`)

/** kubectl and the cluster that it talks to; to be used inside of hooks and tests. */
export interface KubectlScope {
  /** kubectl in a new namespace of its own. */
  inNamespace(name: string): Promise<Kubectl>
  inDefault(): Kubectl
  /** Folder of this suite alone. */
  dir(): string
}

/** Describes what kubectl does on an embedded cluster that the suite has to itself. */
export function describeKubectl(subject: string, define: (scope: KubectlScope) => void): void {
  describe.skipIf('missing' in built)(`kubectl ${subject}`, () => {
    let cluster: ServedCluster
    beforeAll(async () => {
      cluster = await serveCluster()
    })
    afterAll(() => cluster?.close())
    const { bin } = built as BuiltControlPlane
    define({
      async inNamespace(name) {
        const kubectl = kubectlOf(bin, cluster, name)
        await kubectl('create', 'namespace', name)
        return kubectl
      },
      inDefault: () => kubectlOf(bin, cluster, 'default'),
      dir: () => cluster.dir,
    })
  })
}
