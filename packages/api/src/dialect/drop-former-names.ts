import { ANCESTOR_LABEL, LAUNCHER_NAME, NODE_NAME } from '../trainer/constants.ts'
import { isDocumentForm, WRITTEN_AS_ANNOTATION } from './annotations.ts'
import { type Draft, fieldsOf } from './draft.ts'
import { sameJson } from './same-json.ts'

type Fields = Readonly<Record<string, unknown>>

const JOBS = ['spec', 'template', 'spec', 'replicatedJobs'] as const
/** From a replicated job. */
const CONTAINERS = ['template', 'spec', 'template', 'spec', 'containers'] as const

/**
 * Server-side apply tells list items apart by name: what was renamed when it was stored stands beside what is written
 * now, as the job `node` beside `worker`. What is written counts.
 */
export function dropFormerNames(draft: Draft, stored: object): void {
  const before = listOf(fieldsOf(fieldsOf(fieldsOf(fieldsOf(stored).spec).template).spec).replicatedJobs)
  const isDocument = isDocumentForm(stored)
  const renamed = before.find((job) => job.name === NODE_NAME && (isDocument || writtenAs(job) !== undefined))
  if (renamed === undefined) return
  const [name, container = NODE_NAME] = writtenAs(renamed)?.split('/') ?? [NODE_NAME]
  const index = draft.list(JOBS).findIndex((job) => fieldsOf(job).name === NODE_NAME && isMerged(job))
  if (index === -1) return
  const isAgain =
    name === NODE_NAME
      ? isWrittenAgain(draft, index, container, renamed)
      : draft.list(JOBS).some((job) => fieldsOf(job).name === name)
  if (!isAgain) return
  if (name === NODE_NAME) dropFormerParts(draft, index, container, renamed, isDocument)
  const isFormer = (job: unknown, at: number) =>
    (at === index && name !== NODE_NAME) || isFormerLauncher(job, renamed, before)
  draft.set(
    JOBS,
    draft.list(JOBS).filter((job, at) => !isFormer(job, at)),
  )
}

/** Whether the job has something that only the translation gives it, so that it is not what a client wrote as a whole. */
function isMerged(job: unknown): boolean {
  const { metadata, spec } = fieldsOf(fieldsOf(job).template)
  const isLabelled = fieldsOf(fieldsOf(metadata).labels)[ANCESTOR_LABEL] !== undefined
  return isLabelled || writtenAs(job) !== undefined || fieldsOf(spec).parallelism !== undefined
}

/** Whether a job that was called `node` all along has something that the translation would have moved. */
function isWrittenAgain(draft: Draft, index: number, container: string, renamed: Fields): boolean {
  const path = [...JOBS, index]
  if (draft.list([...path, 'template', 'spec', 'containers']).length > 0) return true
  if (draft.get([...path, 'replicas']) !== renamed.replicas) return true
  const containers = draft.list([...path, ...CONTAINERS])
  return container !== NODE_NAME && containers.some((one) => fieldsOf(one).name === container)
}

/** A job that was called `node` all along: what the translation has added to it. */
function dropFormerParts(draft: Draft, index: number, container: string, renamed: Fields, isDocument: boolean): void {
  const path = [...JOBS, index]
  const isWrapped = draft.list([...path, 'template', 'spec', 'containers']).length > 0
  if (!isWrapped && container !== NODE_NAME) {
    const containers = draft.list([...path, ...CONTAINERS])
    draft.set(
      [...path, ...CONTAINERS],
      containers.filter((one) => fieldsOf(one).name !== NODE_NAME),
    )
  }
  // of other forms the label was written
  if (!isDocument) return
  draft.set([...path, 'template', 'metadata', 'labels', ANCESTOR_LABEL], undefined)
  if (draft.get([...path, 'replicas']) === renamed.replicas) draft.set([...path, 'replicas'], undefined)
}

/** The launcher that was added behind workers; those have no label of their own then. */
function isFormerLauncher(job: unknown, renamed: Fields, before: readonly Fields[]): boolean {
  const isAdded = fieldsOf(fieldsOf(fieldsOf(renamed.template).metadata).labels)[ANCESTOR_LABEL] === undefined
  return isAdded && fieldsOf(job).name === LAUNCHER_NAME && before.some((one) => sameJson(one, job))
}

function writtenAs(job: unknown): string | undefined {
  const pod = fieldsOf(fieldsOf(fieldsOf(fieldsOf(job).template).spec).template)
  const text = fieldsOf(fieldsOf(pod.metadata).annotations)[WRITTEN_AS_ANNOTATION]
  return typeof text === 'string' ? text : undefined
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}
