import type { Job, JobSet, KubernetesObject, Pod, PodSpec, PodTemplateSpec, Service } from '@trainjob/api'
import type { EventObject, KubeObject } from '@trainjob/kube'

/*
 * What of an object is compared: all that the controllers decide on. Left out is what every server counts for itself,
 * and what a pod template or Service is filled up with that nothing here depends on.
 */

/** The part of an object that must be the same on every cluster. */
export function normalForm(object: KubeObject): unknown {
  return withoutEmpty({ metadata: metadataOf(object), ...bodyOf(object) })
}

function bodyOf(object: KubeObject): object {
  switch (object.kind) {
    case 'Pod':
      return { spec: podSpec((object as Pod).spec), status: podStatus(object as Pod) }
    case 'Job': {
      const { spec, status } = object as Job
      return { spec: { ...spec, template: podTemplate(spec.template) }, status }
    }
    case 'JobSet':
      return jobSetBody(object as JobSet)
    case 'Service': {
      const { clusterIP, selector, publishNotReadyAddresses, ports } = (object as Service).spec
      // false may be left out
      return { spec: { clusterIP, selector, publishNotReadyAddresses: publishNotReadyAddresses === true, ports } }
    }
    case 'PersistentVolumeClaim': {
      const { accessModes, resources } = (object as KubernetesObject & { spec: Record<string, unknown> }).spec
      return { spec: { accessModes, resources } }
    }
    default:
      return object
  }
}

function metadataOf({ kind, metadata }: KubeObject): object {
  const { labels, annotations, finalizers, ownerReferences, deletionTimestamp, deletionGracePeriodSeconds } = metadata
  const { generation } = metadata
  return {
    labels,
    annotations,
    finalizers,
    ownerReferences,
    deletionTimestamp,
    ...(kind === 'Pod' && { deletionGracePeriodSeconds }),
    ...((kind === 'Job' || kind === 'JobSet') && { generation }),
  }
}

function jobSetBody({ spec, status }: JobSet): object {
  const replicatedJobs = (spec.replicatedJobs ?? []).map((job) => ({
    ...job,
    template: {
      ...job.template,
      spec: job.template.spec && { ...job.template.spec, template: podTemplate(job.template.spec.template) },
    },
  }))
  // their order means nothing: JobSet lists them as a map happens to
  const counters = [...(status?.replicatedJobsStatus ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1))
  return { spec: { ...spec, replicatedJobs }, status: { ...status, replicatedJobsStatus: counters } }
}

function podTemplate({ metadata, spec }: PodTemplateSpec): object {
  const { labels, annotations, finalizers } = metadata ?? {}
  return { metadata: { labels, annotations, finalizers }, spec: spec && podSpec(spec) }
}

/** Kubernetes lets every pod stay for a while on a node that is not ready. */
const ADDED_TOLERATIONS = 'node.kubernetes.io/'

function podSpec(spec: PodSpec): object {
  const { hostname, subdomain, nodeName, nodeSelector, restartPolicy, schedulingGates, tolerations } = spec
  const containers = spec.containers.map(({ name, env }) => ({ name, env }))
  const initContainers = spec.initContainers?.map(({ name, env }) => ({ name, env }))
  const volumes = spec.volumes?.map(({ name }) => name)
  const own = tolerations?.filter(({ key }) => !String(key).startsWith(ADDED_TOLERATIONS))
  const placed = { hostname, subdomain, nodeName, nodeSelector, schedulingGates, tolerations: own }
  return { ...placed, restartPolicy, containers, initContainers, volumes }
}

function podStatus({ status }: Pod): object {
  const conditions = (status?.conditions ?? [])
    .map(({ type, status: is, reason }) => ({ type, status: is, reason }))
    .sort((a, b) => (a.type < b.type ? -1 : 1))
  return { phase: status?.phase, conditions }
}

/** An event in one line. */
export function eventLine(event: EventObject): string {
  const { type, reason, message, count = 1, source, reportingComponent } = event
  const by = source?.component || reportingComponent
  return `${type} ${reason}: ${message} (${by}${count > 1 ? `, ${count} times` : ''})`
}

/** Absent, null, `{}` and `[]` mean the same here; fields are in one order, so that texts of equals are equal. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value)
    .map(([key, item]) => [key, withoutEmpty(item)] as const)
    .filter(([, item]) => !isEmpty(item))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(kept)
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value !== 'object') return false
  return (Array.isArray(value) ? value : Object.keys(value)).length === 0
}
