import type { Container, Job, OwnerReference, Pod, PodSpec } from '@trainjob/api'
import {
  COMPLETION_INDEX,
  COMPLETION_INDEX_ENV,
  CONTROLLER_UID_LABEL,
  JOB_NAME_LABEL,
  LEGACY_CONTROLLER_UID_LABEL,
  LEGACY_JOB_NAME_LABEL,
  TRACKING_FINALIZER,
} from './labels.ts'

/** What the suffix of a generated name is made of: no vowels and nothing that reads like another letter. */
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'
const SUFFIX_LENGTH = 5
/** 63 characters without the suffix. */
const MAX_PREFIX_LENGTH = 63 - SUFFIX_LENGTH

/**
 * Makes the pods of one Job. What all of them share is built once and not copied: the pods are to be sent, not changed.
 *
 * @param random numbers in [0, 1), for the name's suffix
 */
export function podsOfJob(
  job: Job,
  random: () => number,
): (index?: number, annotations?: Record<string, string>) => Pod {
  const { metadata, spec: templateSpec } = job.spec.template
  const indexed = job.spec.completionMode === 'Indexed'
  const spec = indexed ? withIndexVariable(templateSpec as PodSpec) : (templateSpec as PodSpec)
  const { labels } = metadata ?? {}
  const ownerReferences = [ownerReference(job)]
  const finalizers = [...new Set([...(metadata?.finalizers ?? []), TRACKING_FINALIZER])]
  return (index, annotations) => {
    const mark = index === undefined ? undefined : { [COMPLETION_INDEX]: `${index}` }
    const generateName = prefix(job.metadata.name as string, index)
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: generateName + suffix(random),
        generateName,
        ...(job.metadata.namespace !== undefined && { namespace: job.metadata.namespace }),
        labels: { ...labels, ...mark },
        annotations: { ...metadata?.annotations, ...mark, ...annotations },
        ownerReferences,
        finalizers,
      },
      spec: index === undefined ? spec : { ...spec, hostname: `${job.metadata.name}-${index}` },
    }
  }
}

/** Labels by which a Job knows its pods; also its selector. */
export function jobLabels(job: Job): Record<string, string> {
  const { name = '', uid = '' } = job.metadata
  return {
    [CONTROLLER_UID_LABEL]: uid,
    [JOB_NAME_LABEL]: name,
    [LEGACY_CONTROLLER_UID_LABEL]: uid,
    [LEGACY_JOB_NAME_LABEL]: name,
  }
}

function ownerReference(job: Job): OwnerReference {
  const { name = '', uid = '' } = job.metadata
  return { apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true, blockOwnerDeletion: true }
}

function prefix(name: string, index: number | undefined): string {
  const end = index === undefined ? '-' : `-${index}-`
  return name.slice(0, MAX_PREFIX_LENGTH - end.length) + end
}

function suffix(random: () => number): string {
  let text = ''
  for (let i = 0; i < SUFFIX_LENGTH; i++) text += SUFFIX_ALPHABET[Math.floor(random() * SUFFIX_ALPHABET.length)]
  return text
}

function withIndexVariable(spec: PodSpec): PodSpec {
  const add = (container: Container): Container => {
    if (container.env?.some(({ name }) => name === COMPLETION_INDEX_ENV)) return container
    const fieldRef = { apiVersion: 'v1', fieldPath: `metadata.labels['${COMPLETION_INDEX}']` }
    return { ...container, env: [...(container.env ?? []), { name: COMPLETION_INDEX_ENV, valueFrom: { fieldRef } }] }
  }
  return {
    ...spec,
    containers: spec.containers.map(add),
    ...(spec.initContainers !== undefined && { initContainers: spec.initContainers.map(add) }),
  }
}
