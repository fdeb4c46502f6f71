import type { Pod } from '@trainjob/api'

/** Pods that belong to one job: they know each other by name, and share ports. */
export interface PodGroup {
  /** Unique on this machine. */
  readonly key: string
  /** For people. */
  readonly name: string
}

/** The JobSet of a pod, else its Job, else the pod alone. A job that is created again is another group. */
export function podGroup(pod: Pod): PodGroup {
  const { namespace = '', name = '', uid = '', labels = {} } = pod.metadata
  const jobSet = labels['jobset.sigs.k8s.io/jobset-name']
  if (jobSet !== undefined) {
    const id = labels['jobset.sigs.k8s.io/jobset-uid'] ?? `${namespace}/${jobSet}`
    return { key: `jobset/${id}`, name: `${namespace}/${jobSet}` }
  }
  const job = labels['batch.kubernetes.io/job-name'] ?? labels['job-name']
  if (job !== undefined) {
    const id = labels['batch.kubernetes.io/controller-uid'] ?? `${namespace}/${job}`
    return { key: `job/${id}`, name: `${namespace}/${job}` }
  }
  return { key: `pod/${uid}`, name: `${namespace}/${name}` }
}

/** Whether a host name is one that pods of this pod's group have, also pods that do not exist yet. */
export function isHostOfGroup(pod: Pod, host: string): boolean {
  if (host === pod.spec.hostname) return true
  const labels = pod.metadata.labels ?? {}
  // A JobSet's pods are `<jobset>-<replicated job>-<job index>-<pod index>`, a Job's `<job>-<index>`.
  const jobSet = labels['jobset.sigs.k8s.io/jobset-name']
  if (jobSet !== undefined) return host.startsWith(`${jobSet}-`) && /-\d+-\d+$/.test(host)
  const job = labels['batch.kubernetes.io/job-name'] ?? labels['job-name']
  return job !== undefined && host.startsWith(`${job}-`) && /^\d+$/.test(host.slice(job.length + 1))
}
