import { LAUNCHER_NAME, type MPIPolicy, NODE_NAME } from '@trainjob/api'
import type { Info } from '../../info.ts'
import { nodeResources, upstreamResources } from '../../node-resources.ts'
import { gpusOf } from '../../resources.ts'

/**
 * Pods of the launcher and of the workers. Where the launcher is a node itself, there is one worker less.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/mpi/mpi.go (`EnforceMLPolicy`).
 */
export function setCounts(info: Info, mpi: MPIPolicy): void {
  const workers = info.podSets.find(({ name }) => name === NODE_NAME)
  const launcher = info.podSets.find(({ name }) => name === LAUNCHER_NAME)
  let numNodes = info.trainer?.numNodes
  if (launcher && info.deviates('one-launcher')) {
    launcher.count = 1
    if (workers?.job.template.spec?.parallelism === undefined) numNodes ??= info.mlPolicy?.numNodes ?? 1
  }
  if (!workers || numNodes === undefined) return
  const fewest = launcher && info.deviates('launcher-as-only-node') ? 0 : 1
  workers.count = mpi.runLauncherAsNode === true ? Math.max(numNodes - 1, fewest) : numNodes
}

/** Processes per node: what the TrainJob says, else the policy; of one, as many as there are GPUs. */
export function slotsOf(info: Info, mpi: MPIPolicy): number {
  const wanted = info.trainer?.numProcPerNode
  if (wanted !== undefined) return wanted
  const slots = mpi.numProcPerNode ?? 1
  if (slots !== 1) return slots
  // workers that get no resources of the job's run as many processes as it names GPUs, as in upstream
  return gpusOf(nodeResources(info)) || gpusOf(upstreamResources(info)) || 1
}
