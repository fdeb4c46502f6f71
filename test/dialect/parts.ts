import type { Container, JobSet, KubernetesObject, PodSpec, ReplicatedJob } from '@trainjob/api'

/** The object of a kind; throws when there is none. */
export function ofKind<T extends KubernetesObject = KubernetesObject>(
  objects: readonly KubernetesObject[],
  kind: string,
): T {
  const found = objects.find((object) => object.kind === kind)
  if (found === undefined) throw new Error(`expected a ${kind}, found ${objects.map((one) => one.kind).join(', ')}`)
  return found as T
}

/** A replicated job of the only JobSet, its pod and its container `node`. */
export function nodeOf(
  objects: readonly KubernetesObject[],
  job = 0,
): { readonly job: ReplicatedJob; readonly pod: PodSpec; readonly container: Container } {
  const found = ofKind<JobSet>(objects, 'JobSet').spec.replicatedJobs?.[job]
  const pod = found?.template.spec?.template.spec
  const container = pod?.containers.find(({ name }) => name === 'node')
  if (found === undefined || pod === undefined || container === undefined) throw new Error('expected a container node')
  return { job: found, pod, container }
}

/** Variables by name; those with a source have its field path or name. */
export function envOf({ env = [] }: Container): Readonly<Record<string, string>> {
  return Object.fromEntries(
    env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom?.fieldRef?.fieldPath ?? 'from elsewhere']),
  )
}
