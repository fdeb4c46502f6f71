import { cp, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { cachedBuild } from '@trainjob/test/go/cached-build'

/** What turns a control plane into the peer, built. */
export interface BuiltPeer {
  /** Folder of `trainer-controller-manager` and `kwok`. */
  readonly bin: string
  /** Trainer's CustomResourceDefinitions and webhook configurations, as YAML. */
  readonly manifests: string
  /** How KWOK's nodes and pods live: each step at once. */
  readonly stages: readonly string[]
}

const STAGES = [
  'node/fast/node-initialize.yaml',
  'pod/fast/pod-ready.yaml',
  'pod/fast/pod-complete.yaml',
  'pod/fast/pod-delete.yaml',
]

/** Builds Trainer's controller and KWOK into the user's cache, or finds them there. Cold it takes some minutes. */
export async function buildPeer(): Promise<BuiltPeer | { readonly missing: string }> {
  const folder = await cachedBuild({
    name: 'bench-jobs',
    what: 'the controller of Kubeflow Trainer 2.3.0, and KWOK 0.8.0',
    source: import.meta.dirname,
    async build(into, go) {
      await mkdir(path.join(into, 'bin'))
      await go(['build', '-trimpath', '-ldflags=-s -w', '-o', `${path.join(into, 'bin')}/`, 'tool'])
      const moduleFolder = async (name: string) => (await go(['list', '-m', '-f', '{{.Dir}}', name])).trim()
      const trainer = await moduleFolder('github.com/kubeflow/trainer/v2')
      const kwok = await moduleFolder('sigs.k8s.io/kwok')
      await cp(path.join(trainer, 'manifests/base'), path.join(into, 'manifests'), { recursive: true })
      for (const stage of STAGES) {
        await cp(path.join(kwok, 'kustomize/stage', stage), path.join(into, 'stages', path.basename(stage)))
      }
    },
  })
  if (typeof folder !== 'string') return folder
  return {
    bin: path.join(folder, 'bin'),
    manifests: path.join(folder, 'manifests'),
    stages: STAGES.map((stage) => path.join(folder, 'stages', path.basename(stage))),
  }
}
