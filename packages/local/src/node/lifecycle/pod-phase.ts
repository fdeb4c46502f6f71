import type { PodSpec, PodStatus } from '@trainjob/api'
import type { ContainerRecord, PodRecord } from './container-record.ts'

/** A kubelet's phase of a pod, from its containers (source: kubernetes, pkg/kubelet/kubelet_pods.go, getPhase). */
export function podPhase(spec: Pick<PodSpec, 'restartPolicy'>, record: PodRecord): NonNullable<PodStatus['phase']> {
  const running = record.containers.some((c) => c.state.kind === 'running')
  const mains = record.containers.filter((c) => c.role === 'main')
  if (record.ending !== undefined && record.ending.suspended !== true && !running) {
    if (record.ending.reason !== undefined) return 'Failed'
    return mains.every(succeeded) ? 'Succeeded' : 'Failed'
  }
  const policy = spec.restartPolicy ?? 'Always'
  const mainsBegan = mains.some((c) => c.state.kind !== 'waiting' || c.last !== undefined)
  if (!mainsBegan) {
    const failed = record.containers.some((c) => c.role === 'init' && c.state.kind === 'terminated' && !succeeded(c))
    return failed && policy === 'Never' ? (running ? 'Running' : 'Failed') : 'Pending'
  }
  if (running || mains.some((c) => c.state.kind !== 'terminated')) return 'Running'
  if (policy === 'Always') return 'Running'
  if (mains.every(succeeded)) return 'Succeeded'
  return policy === 'Never' ? 'Failed' : 'Running'
}

function succeeded(container: ContainerRecord): boolean {
  return container.state.kind === 'terminated' && container.state.exitCode === 0
}
