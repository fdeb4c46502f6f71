import type { Findings, KubernetesObject } from '@trainjob/api'
import { nodeKeys } from '@trainjob/controller'
import { RenderError, type Rendered, type RenderOptions, render, validate, validateRuntime } from '@trainjob/runtime'
import type { Answer, Question } from '../oracle/oracle.ts'

/** What of an answer both sides must agree on. */
export interface Verdict {
  /** Sorted. `crashed` when upstream panics, where anything but a crash will do. */
  readonly objects: readonly unknown[] | 'refused' | 'crashed'
  /** Pods of each replicated job, as Kueue and the gang schedulers count them; none without objects. */
  readonly podSets: readonly unknown[]
  readonly jobFaults: readonly string[]
  readonly runtimeFaults: readonly string[]
  readonly allowed: boolean
  readonly deprecated: boolean
}

/** The address that upstream makes up from its default configuration. */
export const STATUS_URL = 'https://kubeflow-trainer-controller-manager.kubeflow-system.svc:10443'

/** Ours, like upstream, or with every deliberate difference. */
export function ourVerdict(
  { runtimes, objects = [], statusServer, trainJob, oldTrainJob }: Question,
  { differs = false }: { readonly differs?: boolean } = {},
): Verdict {
  const [runtime] = runtimes
  if (!runtime) throw new Error('Expected a runtime in the question.')
  const options: RenderOptions = {
    ...(!differs && { compat: 'upstream' }),
    facts: { objects },
    keys: nodeKeys,
    ...(statusServer !== undefined && { statusServer: { url: STATUS_URL, caCertificate: statusServer } }),
  }
  const findings = validate(trainJob, runtime, oldTrainJob ? { ...options, old: oldTrainJob } : options)
  const runtimeFaults = paths(validateRuntime(runtime).errors)
  return {
    ...rendered(() => render(trainJob, runtime, options)),
    jobFaults: paths(findings.errors),
    runtimeFaults,
    allowed: findings.errors.length === 0 && runtimeFaults.length === 0,
    deprecated: findings.warnings.some(({ code }) => code === 'deprecated-runtime'),
  }
}

function rendered(make: () => Rendered): Pick<Verdict, 'objects' | 'podSets'> {
  try {
    const { objects, podSets } = make()
    return { objects: comparable(JSON.parse(JSON.stringify(objects)) as readonly KubernetesObject[]), podSets }
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    return { objects: error.code === 'flux-needs-nodes' ? 'crashed' : 'refused', podSets: [] }
  }
}

/** Upstream's. */
export function upstreamVerdict({
  objects = [],
  podSets = [],
  jobErrors = [],
  runtimeErrors = [],
  allowed = false,
  warnings = [],
  error,
}: Answer): Verdict {
  return {
    objects: error === undefined ? comparable(objects) : error.startsWith('panic') ? 'crashed' : 'refused',
    podSets: error === undefined ? podSets : [],
    jobFaults: paths(jobErrors),
    runtimeFaults: paths(runtimeErrors),
    allowed,
    deprecated: warnings.some((warning) => warning.startsWith('Referenced ClusterTrainingRuntime')),
  }
}

/** Two faults of one field count once: upstream splits some that we say in one sentence. */
function paths(faults: Findings['errors'] | readonly { path: string }[]): readonly string[] {
  return [...new Set(faults.map(({ path }) => path))].sort()
}

/**
 * Without what differs from process to process, or on purpose: upstream runs its plugins in random order, so that the
 * order of objects and of lists with keys means nothing; new keys are random; scripts have texts of their own.
 */
export function comparable(objects: readonly KubernetesObject[]): readonly unknown[] {
  return objects.map((object) => withoutText(sorted(object) as KubernetesObject)).sort(byText)
}

function withoutText(object: KubernetesObject): unknown {
  const { data } = object as { data?: Readonly<Record<string, string>> }
  if (data === undefined || !/-flux-entrypoint$|-flux-curve$|-mpi-ssh-auth$/.test(object.metadata.name ?? '')) {
    return object
  }
  const entries = Object.entries(data).map(([key, value]) => [key, key === 'curve.cert' ? curveKeysIn(value) : key])
  return { ...object, data: Object.fromEntries(entries) }
}

function curveKeysIn(certificate: string): readonly string[] {
  return (
    Buffer.from(certificate, 'base64')
      .toString()
      .match(/(?:public|secret)-key = ".*"/g) ?? []
  )
}

/** By their keys. */
const KEYED: Readonly<Record<string, string>> = { env: 'name', volumes: 'name', volumeMounts: 'mountPath' }

function sorted(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => sorted(item))
    const key = KEYED[field]
    return key === undefined ? items : items.sort((a, b) => byText(keyOf(a, key), keyOf(b, key)))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, sorted(item, name)]))
}

function keyOf(item: unknown, key: string): unknown {
  return (item as Readonly<Record<string, unknown>>)[key]
}

function byText(a: unknown, b: unknown): number {
  const [left, right] = [order(a), order(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

function order(value: unknown): string {
  if (typeof value === 'string') return value
  const { kind, metadata } = value as KubernetesObject
  return `${kind} ${metadata.name}`
}
