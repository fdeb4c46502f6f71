import type { Job, JobSet, JobSpec, PodSpec, ReplicatedJob } from '@trainjob/api'
import { EXCLUSIVE_TOPOLOGY, NAMESPACED_JOB, NO_SCHEDULE_TAINT, NODE_SELECTOR_STRATEGY } from './labels.ts'
import { jobName, subdomainOf } from './names.ts'
import { ownerReference } from './owner-reference.ts'
import { exclusiveAnnotations, placementLabels } from './placement-labels.ts'
import { withClaimVolumes } from './volume-claims.ts'

/** The Job of one index, as it is created now. What it has in common with the template is shared, not copied. */
export function jobOfJobSet(jobSet: JobSet, replicatedJob: ReplicatedJob, index: number): Job {
  const name = jobName(jobSet.metadata.name ?? '', replicatedJob.name, index)
  const labels = placementLabels(jobSet, replicatedJob, index)
  const annotations = { ...labels, ...exclusiveAnnotations(jobSet, replicatedJob) }
  const { metadata, spec } = replicatedJob.template
  const jobSpec = spec as JobSpec
  const { namespace } = jobSet.metadata
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      labels: { ...metadata?.labels, ...labels },
      annotations: { ...metadata?.annotations, ...annotations },
      ownerReferences: [ownerReference(jobSet)],
    },
    spec: {
      ...jobSpec,
      suspend: jobSet.spec.suspend === true,
      template: {
        metadata: {
          ...jobSpec.template.metadata,
          labels: { ...jobSpec.template.metadata?.labels, ...labels },
          annotations: { ...jobSpec.template.metadata?.annotations, ...annotations },
        },
        spec: podSpec(jobSet, name, jobSpec.template.spec as PodSpec, { ...metadata?.annotations, ...annotations }),
      },
    },
  }
}

function podSpec(jobSet: JobSet, job: string, template: PodSpec, annotations: Record<string, string>): PodSpec {
  const spec: PodSpec = withClaimVolumes(jobSet, template)
  const named = jobSet.spec.network?.enableDNSHostnames === true ? { ...spec, subdomain: subdomainOf(jobSet) } : spec
  if (annotations[EXCLUSIVE_TOPOLOGY] === undefined || annotations[NODE_SELECTOR_STRATEGY] === undefined) return named
  return {
    ...named,
    nodeSelector: { ...named.nodeSelector, [NAMESPACED_JOB]: `${jobSet.metadata.namespace}_${job}` },
    tolerations: [...(named.tolerations ?? []), { key: NO_SCHEDULE_TAINT, operator: 'Exists', effect: 'NoSchedule' }],
  }
}
