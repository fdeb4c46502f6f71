import type { Job, JobSpec, ObjectMeta, PodFailurePolicy } from '@trainjob/api'
import { jobLabels } from './pod-of-job.ts'

/** `backoffLimit` where the indexes have limits of their own. */
const NO_LIMIT = 2 ** 31 - 1

/**
 * A new Job with everything set that Kubernetes sets, its selector and the labels of its pods included; without labels
 * of its own it has those of its pods.
 * (Source: kubernetes, apis/batch/v1/defaults.go and registry/batch/job/strategy.go.)
 */
export function defaultJob(job: Job): Job {
  const { spec } = job
  const manual = spec.manualSelector === true
  const labels = manual ? {} : jobLabels(job)
  const podLabels = { ...labels, ...spec.template?.metadata?.labels }
  const takesLabels = Object.keys(job.metadata.labels ?? {}).length === 0 && Object.keys(podLabels).length > 0
  const metadata: ObjectMeta = takesLabels ? { ...job.metadata, labels: podLabels } : job.metadata
  return {
    ...job,
    metadata,
    spec: {
      ...spec,
      ...counts(spec),
      backoffLimit: spec.backoffLimit ?? (spec.backoffLimitPerIndex === undefined ? 6 : NO_LIMIT),
      completionMode: spec.completionMode ?? 'NonIndexed',
      suspend: spec.suspend ?? false,
      manualSelector: manual,
      podReplacementPolicy:
        spec.podReplacementPolicy ?? (spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed'),
      ...(!manual && {
        selector: {
          ...spec.selector,
          matchLabels: { [SELECTOR]: labels[SELECTOR] ?? '', ...spec.selector?.matchLabels },
        },
      }),
      ...(spec.podFailurePolicy !== undefined && { podFailurePolicy: withStatuses(spec.podFailurePolicy) }),
      template: {
        ...spec.template,
        metadata: { ...spec.template?.metadata, labels: podLabels },
      },
    },
  }
}

const SELECTOR = 'batch.kubernetes.io/controller-uid'

/** Both unset: one pod. Only `completions` may stay unset: then any success ends the Job. */
function counts({ parallelism, completions }: JobSpec): Pick<JobSpec, 'parallelism' | 'completions'> {
  if (parallelism === undefined && completions === undefined) return { parallelism: 1, completions: 1 }
  return { parallelism: parallelism ?? 1 }
}

/** A condition that says nothing else is to be true. */
function withStatuses({ rules, ...rest }: PodFailurePolicy): PodFailurePolicy {
  if (!Array.isArray(rules)) return { rules, ...rest }
  return {
    ...rest,
    rules: rules.map((rule) =>
      rule.onPodConditions === undefined
        ? rule
        : { ...rule, onPodConditions: rule.onPodConditions.map((condition) => ({ status: 'True', ...condition })) },
    ),
  }
}
