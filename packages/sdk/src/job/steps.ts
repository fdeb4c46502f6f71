import type { JobSet, Pod } from '@trainjob/api'
import type { Step } from '../step.ts'
import { containerStatusOf } from './container-status.ts'
import { completionIndexOf, mainContainerOf, nodeName, nodeNameOf, replicatedJobOf } from './node-name.ts'

/**
 * The nodes of a job in the JobSet's order, those without a pod too. A node whose pod was replaced appears once, with
 * its newest pod (kubeflow/trainer#2348).
 */
export function stepsOf(pods: readonly Pod[], jobSet?: JobSet): readonly Step[] {
  const newest = new Map<string, Pod>()
  for (const pod of pods) {
    const node = nodeNameOf(pod)
    const other = newest.get(node)
    if (other === undefined || isNewer(pod, other)) newest.set(node, pod)
  }
  const steps: Step[] = []
  for (const job of jobSet?.spec.replicatedJobs ?? []) {
    const { replicas = 1 } = job
    const count = job.template.spec?.completions ?? job.template.spec?.parallelism ?? 1
    for (let jobIndex = 0; jobIndex < replicas; jobIndex++) {
      for (let index = 0; index < count; index++) {
        const node = nodeName(job.name, replicas, jobIndex, index)
        const pod = newest.get(node)
        newest.delete(node)
        steps.push(
          pod === undefined
            ? { node, replicatedJob: job.name, phase: 'Pending', ready: false, restarts: 0 }
            : stepOf(node, pod),
        )
      }
    }
  }
  const rest = [...newest].sort(([a, one], [b, other]) =>
    replicatedJobOf(one) === replicatedJobOf(other)
      ? completionIndexOf(one) - completionIndexOf(other) || (a < b ? -1 : 1)
      : a < b
        ? -1
        : 1,
  )
  for (const [node, pod] of rest) steps.push(stepOf(node, pod))
  return steps
}

function isNewer(pod: Pod, other: Pod): boolean {
  const [a = '', b = ''] = [pod.metadata.creationTimestamp, other.metadata.creationTimestamp]
  if (a !== b) return a > b
  // within one second: the one that is not on its way out
  return other.metadata.deletionTimestamp !== undefined || other.status?.phase === 'Failed'
}

function stepOf(node: string, pod: Pod): Step {
  const status = containerStatusOf(pod, mainContainerOf(pod))
  const all = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
  const scheduled = pod.status?.conditions?.find((one) => one.type === 'PodScheduled')
  const ended = status?.state?.terminated
  const why =
    ended ??
    all.find((one) => one.state?.waiting?.reason !== undefined)?.state?.waiting ??
    (scheduled?.status === 'False' ? scheduled : pod.status)
  return {
    node,
    replicatedJob: replicatedJobOf(pod),
    ...(pod.metadata.name !== undefined && { pod: pod.metadata.name }),
    phase: pod.status?.phase ?? 'Pending',
    ready: pod.status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false,
    restarts: all.reduce((sum, one) => sum + one.restartCount, 0),
    ...(why?.reason !== undefined && { reason: why.reason }),
    ...(why?.message !== undefined && { message: why.message }),
    ...(ended !== undefined && { exitCode: ended.exitCode }),
  }
}
