import type { KubeObject } from '@trainjob/kube'

interface JobLike extends KubeObject {
  readonly spec?: {
    readonly selector?: object
    readonly template?: { readonly metadata?: { readonly labels?: object } }
  }
}

/** A new Job without the selector and labels that were made for it, which nobody owns. */
export function withoutSelector(completed: KubeObject, given: KubeObject): KubeObject {
  const [job, before] = [completed as JobLike, given as JobLike]
  if (job.spec?.template === undefined) return completed
  const { selector: _, template, ...spec } = job.spec
  const { metadata } = before.spec?.template ?? {}
  return {
    ...job,
    metadata: withLabels(job.metadata, before.metadata.labels),
    spec: {
      ...spec,
      ...(before.spec?.selector !== undefined && { selector: before.spec.selector }),
      template: withMetadata(template, metadata),
    },
  } as KubeObject
}

function withLabels({ labels: _, ...metadata }: KubeObject['metadata'], labels: object | undefined): object {
  return { ...metadata, ...(labels !== undefined && { labels }) }
}

function withMetadata({ metadata: _, ...template }: { metadata?: object }, metadata: object | undefined): object {
  return { ...template, ...(metadata !== undefined && { metadata }) }
}
