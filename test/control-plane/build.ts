import { cp } from 'node:fs/promises'
import path from 'node:path'
import { cachedBuild } from '../go/cached-build.ts'

/** The release of Kubernetes that `go.mod` names. */
const KUBERNETES = 'v1.36.3'

/** A real control plane, built. */
export interface BuiltControlPlane {
  /** Folder of `etcd`, `kube-apiserver`, `kube-controller-manager`, `kube-scheduler`, `kubectl` and `jobset`. */
  readonly bin: string
  /** JobSet's CustomResourceDefinition, as YAML. */
  readonly jobSetCrd: string
  /** JobSet's webhook configurations, as YAML. */
  readonly jobSetWebhooks: string
}

/**
 * Builds the real parts into the user's cache, or finds them there. Cold it takes six minutes on two cores, 3 GB of
 * Go's cache and 750 MB of modules.
 */
export async function buildControlPlane(): Promise<BuiltControlPlane | { readonly missing: string }> {
  const folder = await cachedBuild({
    name: 'control-plane',
    what: `the control plane of Kubernetes ${KUBERNETES}`,
    source: import.meta.dirname,
    async build(into, go) {
      const flags = ['-trimpath', `-ldflags=-s -w ${version()}`]
      await go(['build', ...flags, '-o', `${path.join(into, 'bin')}/`, 'tool', './etcd'])
      const jobSet = (await go(['list', '-m', '-f', '{{.Dir}}', 'sigs.k8s.io/jobset'])).trim()
      const config = path.join(jobSet, 'config/components')
      await cp(path.join(config, 'crd/bases/jobset.x-k8s.io_jobsets.yaml'), path.join(into, 'crd.yaml'))
      await cp(path.join(config, 'webhook/manifests.yaml'), path.join(into, 'webhooks.yaml'))
    },
  })
  if (typeof folder !== 'string') return folder
  return {
    bin: path.join(folder, 'bin'),
    jobSetCrd: path.join(folder, 'crd.yaml'),
    jobSetWebhooks: path.join(folder, 'webhooks.yaml'),
  }
}

/** Without it the binaries report a placeholder, which kubectl refuses. */
function version(): string {
  const [major, minor] = KUBERNETES.slice(1).split('.')
  const values = { gitVersion: KUBERNETES, gitMajor: major, gitMinor: minor }
  const set = (name: string, value: string | undefined) => `-X k8s.io/component-base/version.${name}=${value}`
  return Object.entries(values)
    .map(([name, value]) => set(name, value))
    .join(' ')
}
