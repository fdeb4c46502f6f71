import {
  type AnyTrainingRuntime,
  type Findings,
  type Issue,
  type KubernetesObject,
  TRAINER_GROUP,
  type TrainJob,
} from '@trainjob/api'
import { type ManifestDocument, readManifests as readText, validateDocuments } from '@trainjob/api/parse'
import { validateUpdate } from '@trainjob/api/validate'
import { shippedRuntimes, validate, validateRuntime } from '@trainjob/runtime'
import { nearest } from '../help/nearest.ts'
import type { InputText } from './read-files.ts'

/** A TrainJob of the input that is well formed, and the runtime that it refers to. */
export interface PlannedJob {
  readonly trainJob: TrainJob
  readonly runtime: AnyTrainingRuntime
  /** Where it was read; absent for a job that is made from a command line. */
  readonly document?: ManifestDocument
}

/** All that the files say, every object with a namespace, and all that is wrong with it. */
export interface Manifests extends Findings {
  /** Jobs with errors are not among them. */
  readonly jobs: readonly PlannedJob[]
  /** Well-formed jobs of runtimes that only the cluster knows, with `otherRuntimes`. */
  readonly unplanned: readonly ManifestDocument[]
  /** Everything else, runtimes included, in the order of the files. */
  readonly others: readonly ManifestDocument[]
}

export interface ManifestOptions {
  /** Of objects that name none. */
  readonly namespace: string
  /** The objects before a change: each job is also checked as an update of its namesake. */
  readonly old?: readonly InputText[]
  /** The cluster may have runtimes that the files do not: not knowing one is no error. */
  readonly otherRuntimes?: boolean
}

/** Reads and checks texts as a whole: faults never throw, they are in `errors` and `warnings`, all of them. */
export function readManifests(texts: readonly InputText[], options: ManifestOptions): Manifests {
  const { valid, faulty, errors, warnings } = parseTexts(texts, options.namespace)
  const others = valid.filter(({ object }) => !isTrainJob(object))
  const world: World = {
    runtimes: [...runtimesIn(others), ...shippedRuntimes()],
    broken: runtimesIn(faulty),
    others,
    old: parseTexts(options.old ?? [], options.namespace).valid.map(({ object }) => object),
    known: options.otherRuntimes !== true,
  }
  const jobs: PlannedJob[] = []
  for (const document of valid) {
    const findings = checkDocument(document, world, jobs)
    errors.push(...findings.errors.map((issue) => placed(issue, document)))
    warnings.push(...findings.warnings.map((issue) => placed(issue, document)))
  }
  errors.push(...faulty.flatMap((document) => missingBesides(document, world)))
  const planned = new Set(jobs.map(({ document }) => document))
  const unplanned = valid.filter((one) => isTrainJob(one.object) && !planned.has(one))
  return { jobs, unplanned, others, errors: inOrder(errors, texts), warnings: inOrder(warnings, texts) }
}

interface Parsed {
  readonly valid: ManifestDocument[]
  readonly faulty: ManifestDocument[]
  readonly errors: Issue[]
  readonly warnings: Issue[]
}

function parseTexts(texts: readonly InputText[], namespace: string): Parsed {
  const parsed: Parsed = { valid: [], faulty: [], errors: [], warnings: [] }
  for (const { file, text } of texts) {
    const read = readText(text, { file })
    parsed.errors.push(...read.errors)
    for (const document of read.documents.map((one) => withNamespace(one, namespace))) {
      const findings = validateDocuments([document])
      parsed.errors.push(...findings.errors)
      parsed.warnings.push(...findings.warnings)
      const kept = findings.errors.length === 0 ? parsed.valid : parsed.faulty
      kept.push(document)
    }
  }
  return parsed
}

/** A runtime that is missing is said of a faulty job too: all faults at once. */
function missingBesides(document: ManifestDocument, { known, runtimes, broken }: World): readonly Issue[] {
  const { object } = document
  if (!known || !isTrainJob(object) || typeof object.spec?.runtimeRef?.name !== 'string') return []
  if (runtimeOf(object, [...runtimes, ...broken]) !== undefined) return []
  return [placed(missing(object, runtimes), document)]
}

function runtimesIn(documents: readonly ManifestDocument[]): readonly AnyTrainingRuntime[] {
  return documents.map(({ object }) => object).filter(isRuntime)
}

interface World {
  readonly runtimes: readonly AnyTrainingRuntime[]
  readonly others: readonly ManifestDocument[]
  readonly old: readonly KubernetesObject[]
  /** Runtimes with faults of their own: there, but not to be used. */
  readonly broken: readonly AnyTrainingRuntime[]
  /** Whether there are no runtimes beside these. */
  readonly known: boolean
}

function checkDocument(document: ManifestDocument, world: World, jobs: PlannedJob[]): Findings {
  const { object } = document
  if (isRuntime(object)) return validateRuntime(object)
  if (!isTrainJob(object)) return NOTHING
  const old = world.old.filter(isTrainJob).find((one) => isNamesake(one, object))
  const update = old === undefined ? NOTHING : validateUpdate(old, object)
  const runtime = runtimeOf(object, world.runtimes)
  if (runtime === undefined) {
    if (world.broken.some((one) => runtimeOf(object, [one]) !== undefined)) return update
    return world.known
      ? { errors: [...update.errors, missing(object, world.runtimes)], warnings: update.warnings }
      : update
  }
  const facts = { objects: world.others.map((other) => other.object) }
  const own = validate(object, runtime, { facts, ...(old === undefined ? {} : { old }) })
  const errors = [...update.errors, ...own.errors]
  if (errors.length === 0) jobs.push({ trainJob: withKindOf(object, runtime), runtime, document })
  return { errors, warnings: [...update.warnings, ...own.warnings] }
}

const NOTHING: Findings = { errors: [], warnings: [] }

/** The runtime that a job refers to, of those given; the first of a name counts. Without a kind it is the cluster's, else the namespace's own. */
export function runtimeOf(
  { metadata, spec }: TrainJob,
  runtimes: readonly AnyTrainingRuntime[],
): AnyTrainingRuntime | undefined {
  const { name, kind, apiGroup = TRAINER_GROUP } = spec.runtimeRef
  if (apiGroup !== TRAINER_GROUP) return undefined
  const find = (wanted: string): AnyTrainingRuntime | undefined =>
    runtimes.find(
      (runtime) =>
        runtime.kind === wanted &&
        runtime.metadata.name === name &&
        (wanted === 'ClusterTrainingRuntime' || runtime.metadata.namespace === metadata.namespace),
    )
  return kind === undefined ? (find('ClusterTrainingRuntime') ?? find('TrainingRuntime')) : find(kind)
}

/** The job with the kind of its runtime in it, where it names none and means the namespace's own. */
function withKindOf(trainJob: TrainJob, { kind }: AnyTrainingRuntime): TrainJob {
  const { runtimeRef } = trainJob.spec
  if (runtimeRef.kind !== undefined || kind === 'ClusterTrainingRuntime') return trainJob
  return { ...trainJob, spec: { ...trainJob.spec, runtimeRef: { ...runtimeRef, kind } } }
}

function missing(trainJob: TrainJob, runtimes: readonly AnyTrainingRuntime[]): Issue {
  const { name, kind = 'ClusterTrainingRuntime', apiGroup = TRAINER_GROUP } = trainJob.spec.runtimeRef
  const of = apiGroup === TRAINER_GROUP ? '' : ` of ${apiGroup}`
  const names = [...new Set(runtimes.map(({ metadata }) => metadata.name ?? ''))]
  const close = nearest(name, names)
  const hint = close === undefined || close === name ? '' : ` Did you mean "${close}"?`
  return {
    path: 'spec.runtimeRef.name',
    code: 'runtime-not-found',
    message: `there is no ${kind}${of} "${name}" in the files, nor is it shipped; there are ${names.join(', ')}.${hint}`,
    object: identity(trainJob),
  }
}

/** Kind, namespace and name of an object, as an issue names it. */
export function identity({ kind, metadata }: KubernetesObject): Issue['object'] {
  return { kind, namespace: metadata.namespace ?? '', name: metadata.name ?? metadata.generateName ?? '' }
}

function isTrainJob(object: KubernetesObject): object is TrainJob {
  return object.kind === 'TrainJob' && isOfTrainer(object)
}

export function isRuntime(object: KubernetesObject): object is AnyTrainingRuntime {
  return (object.kind === 'TrainingRuntime' || object.kind === 'ClusterTrainingRuntime') && isOfTrainer(object)
}

/** Faulty objects may have anything for an apiVersion. */
function isOfTrainer({ apiVersion }: { readonly apiVersion?: unknown }): boolean {
  return typeof apiVersion === 'string' && apiVersion.startsWith('trainer.kubeflow.org/')
}

function isNamesake(one: KubernetesObject, other: KubernetesObject): boolean {
  return one.metadata.name === other.metadata.name && one.metadata.namespace === other.metadata.namespace
}

function withNamespace(document: ManifestDocument, namespace: string): ManifestDocument {
  const { object } = document
  if (typeof object.metadata !== 'object' || object.metadata === null) return document
  if (object.metadata.namespace !== undefined || CLUSTER_SCOPED.has(object.kind)) return document
  return { ...document, object: { ...object, metadata: { ...object.metadata, namespace } } }
}

/** Kinds without a namespace that are likely beside a TrainJob. */
const CLUSTER_SCOPED: ReadonlySet<string> = new Set([
  'ClusterTrainingRuntime',
  'Namespace',
  'Node',
  'PriorityClass',
  'RuntimeClass',
  'PersistentVolume',
  'StorageClass',
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'ClusterQueue',
  'ResourceFlavor',
  'WorkloadPriorityClass',
])

function placed(issue: Issue, { file, positions }: ManifestDocument): Issue {
  if (issue.line !== undefined) return issue
  return { ...issue, ...(file === undefined ? {} : { file }), line: positions.lineOf(issue.path) }
}

function inOrder(issues: readonly Issue[], texts: readonly InputText[]): readonly Issue[] {
  const place = new Map(texts.map(({ file }, at) => [file, at]))
  const order = ({ file }: Issue): number => place.get(file ?? '') ?? 0
  return issues.toSorted((a, b) => order(a) - order(b) || (a.line ?? 0) - (b.line ?? 0))
}
