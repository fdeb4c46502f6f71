import { isDeepStrictEqual } from 'node:util'
import {
  type AnyTrainingRuntime,
  type Issue,
  isDocumentForm,
  type JobSet,
  JobSets,
  JSON_PATCHES_ANNOTATION,
  NODES_ANNOTATION,
  type TrainJob,
  TrainJobs,
} from '@trainjob/api'
import { toCanonical } from '@trainjob/api/dialect'
import { type Clock, isNotFound, type Reader } from '@trainjob/kube'
import { RENDER_ERROR_CODES, validate } from '@trainjob/runtime'
import { ControllerError } from '../controller-error.ts'
import { readFacts } from '../trainjob/read-facts.ts'
import { readRuntime } from '../trainjob/runtime-source.ts'
import type { AdmissionHook, AdmissionRequest, AdmissionVerdict } from './hook.ts'
import { withOperationTimes, withPatchTimes } from './patch-times.ts'
import { lookUpRuntime, resolveKind } from './runtime-lookup.ts'
import { untranslated } from './untranslated.ts'
import { withdrawalIssues } from './withdrawn-fields.ts'

/** What the hooks look at. */
export interface TrainJobAdmissionOptions {
  /** Reads runtimes, snapshots and JobSets. */
  readonly reader: Reader
  readonly clock: Clock
  /** Switches every deliberate difference of docs/deviations.md off. */
  readonly compat?: 'upstream'
}

const ACCEPTED: AdmissionVerdict = { errors: [], warnings: [] }

/**
 * Defaulting and validation of TrainJobs, for a server that checks the schema itself (as one with our CRDs does).
 *
 * What depends on the runtime is checked against the live runtime on creation, and on an update against the snapshot
 * that the job runs with (kubeflow/trainer#3923). An update that leaves the spec alone is not checked at all: a job must
 * stay deletable when its runtime is gone.
 *
 * @example
 * import { systemClock } from '@trainjob/kube'
 *
 * const hook = trainJobAdmission({ reader: client, clock: systemClock })
 * const object = { ...trainJob, spec: { runtimeRef: { name: 'nowhere', kind: 'ClusterTrainingRuntime' } } }
 * const verdict = await hook.validate?.({ operation: 'CREATE', object, dryRun: false })
 * verdict?.errors.map(({ path }) => path) // => ['spec.runtimeRef']
 */
export function trainJobAdmission(options: TrainJobAdmissionOptions): AdmissionHook<TrainJob> {
  let loading: Promise<SchemaRules> | undefined
  const means: Means = {
    ...options,
    // the module loader takes longer to say what it has loaded than defaulting takes
    schemaRules() {
      loading ??= import('@trainjob/api/validate')
      return loading
    },
  }
  return {
    resource: TrainJobs,
    mutate: (request) => defaulted(means, request),
    validate: (request) => validated(means, request),
  }
}

type SchemaRules = typeof import('@trainjob/api/validate')

interface Means extends TrainJobAdmissionOptions {
  /** Loaded with the first job: a cluster starts without them. */
  schemaRules(): Promise<SchemaRules>
}

async function defaulted(
  { reader, clock, compat, schemaRules }: Means,
  request: AdmissionRequest<TrainJob>,
): Promise<TrainJob> {
  const { object, oldObject, operation, subresource } = request
  if (operation === 'DELETE' || subresource !== undefined || !isObject(object.spec)) return object
  const { applyDefaults } = await schemaRules()
  const before = operation === 'UPDATE' ? oldObject : undefined
  const { object: canonical } = toCanonical(object, { stored: before })
  const now = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const resolved = compat === 'upstream' ? canonical : await withRuntimeKind(reader, canonical, oldObject)
  const trainJob = withOperationTimes(applyDefaults(resolved), before, now)
  const patches: unknown = trainJob.spec.runtimePatches
  if (!Array.isArray(patches) || !patches.every(isObject)) return trainJob
  const runtimePatches = withPatchTimes(trainJob.spec.runtimePatches ?? [], before?.spec.runtimePatches, now)
  return { ...trainJob, spec: { ...trainJob.spec, runtimePatches } }
}

/** A reference without a kind: upstream's CRD says cluster runtime at once, here the namespace's own may serve where there is none. */
async function withRuntimeKind(reader: Reader, object: TrainJob, stored: TrainJob | undefined): Promise<TrainJob> {
  const ref: unknown = object.spec.runtimeRef
  if (!isObject(ref) || ref.kind !== undefined || typeof ref.name !== 'string') return object
  const kind =
    stored?.spec.runtimeRef.name === ref.name
      ? stored.spec.runtimeRef.kind
      : ((await resolveKind(reader, ref.name, object.metadata.namespace ?? 'default')) ?? kindToCome(object))
  if (kind === undefined) return object
  return { ...object, spec: { ...object.spec, runtimeRef: { ...object.spec.runtimeRef, kind } } }
}

/**
 * The kind of a runtime that is not there yet. Those of the cluster are installed before anybody uses it; in the
 * document's form the job stands ahead of its own runtime in the same file.
 */
function kindToCome(object: TrainJob): 'ClusterTrainingRuntime' | 'TrainingRuntime' {
  return isDocumentForm(object) ? 'TrainingRuntime' : 'ClusterTrainingRuntime'
}

async function validated(
  { reader, compat, schemaRules }: Means,
  { operation, subresource, object, oldObject }: AdmissionRequest<TrainJob>,
): Promise<AdmissionVerdict> {
  if (operation === 'DELETE' || subresource !== undefined) return ACCEPTED
  const before = operation === 'UPDATE' ? oldObject : undefined
  const withdrawn = before === undefined ? [] : withdrawalIssues(before, object)
  if (withdrawn.length > 0) return { errors: withdrawn, warnings: [] }
  const isSame =
    before !== undefined &&
    isDeepStrictEqual(before.spec, object.spec) &&
    operations(before) === operations(object) &&
    before.metadata.annotations?.[NODES_ANNOTATION] === object.metadata.annotations?.[NODES_ANNOTATION]
  if (isSame && compat !== 'upstream') return ACCEPTED

  const faults = untranslated(object)
  if (faults.length > 0) return { errors: faults, warnings: [] }
  const immutable = before === undefined ? [] : (await schemaRules()).validateUpdate(before, object).errors
  if (immutable.length > 0) return { errors: immutable, warnings: [] }

  const found = await findRuntime(reader, object, compat === 'upstream' ? undefined : before)
  if ('missing' in found) {
    const mayCome = isDocumentForm(object) && object.spec.runtimeRef.kind === 'TrainingRuntime'
    if (compat !== 'upstream' && mayCome) return waiting(found.missing)
    return { errors: [issue(object, 'spec.runtimeRef', 'runtime-not-found', found.missing)], warnings: [] }
  }
  // patches must not change while pods of the JobSet run
  const jobSet = before === undefined ? undefined : await readJobSet(reader, object)
  const facts = await readFacts(reader, object, found.runtime)
  const findings = validate(object, found.runtime, {
    facts: { objects: jobSet === undefined ? facts : [jobSet, ...facts] },
    ...(before !== undefined && { old: before }),
    ...(compat !== undefined && { compat }),
  })
  const fatal = before === undefined ? findings.warnings.filter((one) => isFatal(one, compat)) : []
  return {
    errors: [...findings.errors, ...fatal],
    warnings: findings.warnings.filter((one) => !fatal.includes(one)).map(({ path, message }) => `${path}: ${message}`),
  }
}

/** A job of the document may come before its runtime; the condition `Accepted` tells that it waits. */
function waiting(missing: string): AdmissionVerdict {
  return { errors: [], warnings: [`spec.runtimeRef: the job waits for its runtime. ${missing}`] }
}

/**
 * What upstream lets in although nothing can come of it: the job would stand there, and only an event would tell why.
 */
function isFatal({ code }: Issue, compat: 'upstream' | undefined): boolean {
  return compat !== 'upstream' && (code === 'name-too-long' || isRenderError(code))
}

function isRenderError(code: string): boolean {
  return (RENDER_ERROR_CODES as readonly string[]).includes(code)
}

/** On an update the runtime that the job was built from, also when the live one has changed or is gone. */
async function findRuntime(
  reader: Reader,
  object: TrainJob,
  before: TrainJob | undefined,
): Promise<{ runtime: AnyTrainingRuntime } | { missing: string }> {
  if (before === undefined) return lookUpRuntime(reader, object)
  try {
    return await readRuntime(reader, object)
  } catch (error) {
    if (error instanceof ControllerError && error.code === 'runtime-not-found') return lookUpRuntime(reader, object)
    throw error
  }
}

function operations({ metadata }: TrainJob): string | undefined {
  return metadata.annotations?.[JSON_PATCHES_ANNOTATION]
}

async function readJobSet(reader: Reader, { metadata }: TrainJob): Promise<JobSet | undefined> {
  const { namespace = 'default', name = '' } = metadata
  return reader.get(JobSets, { namespace, name }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
}

function issue(object: TrainJob, path: string, code: string, message: string): Issue {
  const { namespace = 'default', name = '' } = object.metadata
  return { path, code, message, object: { kind: 'TrainJob', namespace, name } }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
