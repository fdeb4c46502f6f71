import {
  ANCESTOR_LABEL,
  type JobSetSpec,
  type JobSpec,
  type JsonPatchOperation,
  type PodSpec,
  type ReplicatedJob,
} from '@trainjob/api'
import { RenderError } from '../../error.ts'
import type { Info, PodSet } from '../../info.ts'
import type { CompleteTemplatePlugin, Plugin } from '../../plugin.ts'
import { canonical } from '../../schema/canonical.ts'
import { structSchema } from '../../schema/schema.ts'
import { warnOfPatchedGpus } from '../document/gpus.ts'
import { applyOperation } from './apply-operation.ts'
import { contestedPaths, PATCHES_PATH, patchEntries } from './entries.ts'
import { PatchFault } from './fault.ts'
import { readPointer, writePointer } from './pointer.ts'

/** What of a JobSet may be patched. */
interface Root {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: JobSetSpec
}

/**
 * The operations of the document's `runtimePatches`, on the JobSet with everything else in it. What is summed up over
 * pods is summed up afterwards.
 */
export const jsonPatchPlugin: Plugin & CompleteTemplatePlugin = {
  name: 'json-patch',

  completeTemplate(info) {
    const entries = patchEntries(info.trainJob)
    if (entries.length === 0) return
    let root: Root = { metadata: { labels: info.labels, annotations: info.annotations }, spec: info.template }
    for (const { manager, patch } of entries) {
      for (const operation of patch) root = applied(root, operation, manager)
    }
    takeIn(info, root)
    for (const [path, first, second] of contestedPaths(entries)) {
      info.warnings.push({
        path: PATCHES_PATH,
        code: 'patch-conflict',
        message: `${first} and ${second} both patch ${path}; what ${second} says counts`,
      })
    }
    warnOfPatchedGpus(info)
  },
}

function applied(root: Root, operation: JsonPatchOperation, manager: string): Root {
  try {
    for (const path of [operation.path, ...(operation.from === undefined ? [] : [operation.from])])
      assertPatchable(path)
    return applyOperation(root, operation) as Root
  } catch (error) {
    if (!(error instanceof PatchFault)) throw error
    const from = operation.from === undefined ? '' : ` from ${operation.from}`
    throw new RenderError(
      'json-patch-failed',
      PATCHES_PATH,
      `Could not ${operation.op} ${operation.path}${from}, as ${manager} wants: ${error.message}.`,
    )
  }
}

function assertPatchable(path: string): void {
  const pointer = readPointer(path)
  const [top, field] = pointer
  if (top === 'spec' && pointer.length > 1 && field !== 'suspend') return
  if (top === 'metadata' && (field === 'labels' || field === 'annotations')) return
  throw new PatchFault(
    [],
    `expected a path below /spec (but for suspend), /metadata/labels or /metadata/annotations, found ${writePointer(pointer)}`,
  )
}

/** Makes the patched JobSet the one that is rendered, and its pods those that are counted. */
function takeIn(info: Info, { metadata, spec }: Root): void {
  replace(info.labels, metadata.labels ?? {})
  replace(info.annotations, metadata.annotations ?? {})
  const template = canonical(spec, structSchema('jobset.JobSetSpec'))
  replace(info.template as Record<string, unknown>, template as Record<string, unknown>)
  const before = new Map(info.podSets.map((podSet) => [podSet.name, podSet]))
  const podSets = (template.replicatedJobs ?? []).map((job) => podSetOf(job, before.get(job.name)))
  ;(info.podSets as PodSet[]).splice(0, info.podSets.length, ...podSets)
}

function replace<T>(target: Record<string, T>, source: Readonly<Record<string, T>>): void {
  for (const key of Object.keys(target)) if (!Object.hasOwn(source, key)) delete target[key]
  Object.assign(target, source)
}

function podSetOf(job: ReplicatedJob, before: PodSet | undefined): PodSet {
  const spec = (job.template.spec ?? { template: {} }) as JobSpec
  const podSpec = (spec.template.spec ?? { containers: [] }) as PodSpec
  const { containers = [], initContainers = [] } = podSpec
  if (!Array.isArray(containers) || !Array.isArray(initContainers)) {
    throw new RenderError(
      'json-patch-failed',
      PATCHES_PATH,
      `Expected the containers of ${job.name} to be lists after all patches; change the operation that replaces them.`,
    )
  }
  return {
    name: job.name,
    ancestor: job.template.metadata?.labels?.[ANCESTOR_LABEL],
    count: spec.parallelism ?? 1,
    job,
    podSpec,
    containers,
    initContainers,
    podLabels: before?.podLabels ?? {},
    podAnnotations: before?.podAnnotations ?? {},
    endpoints: before?.endpoints ?? (() => []),
  }
}
