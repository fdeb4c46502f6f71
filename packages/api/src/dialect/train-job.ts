import { MANAGED_BY_TRAINER } from '../trainer/constants.ts'
import { type Draft, fieldsOf } from './draft.ts'
import { translateOverrides } from './overrides.ts'
import { translatePatches } from './patches.ts'
import { takeOver } from './take-over.ts'

const SPEC = ['spec'] as const
const TRAINER = ['spec', 'trainer'] as const
const INITIALIZER = ['spec', 'initializer'] as const

/** A TrainJob as the document or an earlier release writes it. `stored` is what an update replaces. */
export function translateTrainJob(draft: Draft, stored: unknown): void {
  const isUpdate = stored !== undefined
  const spec = draft.fields(SPEC)
  translateTrainer(draft, isUpdate)
  if (spec.initializer !== undefined) translateInitializer(draft, isUpdate)
  translatePatches(draft)
  translateOverrides(draft)
  if (spec.managedBy === 'trainjob-controller') {
    draft.set([...SPEC, 'managedBy'], MANAGED_BY_TRAINER)
    draft.documentNote([...SPEC, 'managedBy'], `managedBy: trainjob-controller is managedBy: ${MANAGED_BY_TRAINER}`)
  }
  refuseMisplaced(draft)
}

function translateTrainer(draft: Draft, isUpdate: boolean): void {
  const trainer = draft.fields(TRAINER)
  if (typeof trainer.resources === 'object' && trainer.resources !== null) {
    const from = [...TRAINER, 'resources']
    if (takeOver(draft, from, [...TRAINER, 'resourcesPerNode'], isUpdate)) {
      draft.documentNote(from, 'trainer.resources is trainer.resourcesPerNode')
    }
  }
  if (trainer.numProcPerNode === 'auto') {
    const path = [...TRAINER, 'numProcPerNode']
    draft.set(path, undefined)
    draft.note(path, 'numProcPerNode: auto of earlier releases is what happens when it is left out')
  }
}

/** The document has one initializer, which fetches the dataset. */
function translateInitializer(draft: Draft, isUpdate: boolean): void {
  const { dataset: _, model: __, ...written } = draft.fields(INITIALIZER)
  const fields = ['storageUri', 'env', 'secretRef'].filter((field) => written[field] !== undefined)
  for (const field of fields) {
    const from = [...INITIALIZER, field]
    if (takeOver(draft, from, [...INITIALIZER, 'dataset', field], isUpdate)) {
      draft.documentNote(from, `initializer.${field} is initializer.dataset.${field}`)
    }
  }
}

/** What belongs into a runtime, where it cannot be put from here. */
function refuseMisplaced(draft: Draft): void {
  const spec = draft.fields(SPEC)
  const { name = 'NAME' } = fieldsOf(spec.runtimeRef)
  const policy = Object.keys(fieldsOf(spec.podGroupPolicy))[0]
  for (const [field, inside] of [
    ['podGroupPolicy', `${policy === 'volcano' ? 'volcano' : 'coscheduling'}: {}`],
    ['mlPolicy', `${Object.keys(fieldsOf(spec.mlPolicy)).find((key) => key !== 'numNodes') ?? 'torch'}: {}`],
  ] as const) {
    if (spec[field] === undefined) continue
    draft.error(
      [...SPEC, field],
      `expected ${field} in the runtime, found it in the TrainJob, which has no such field; write it there and take it out here:\nkind: TrainingRuntime\nmetadata:\n  name: ${String(name)}\nspec:\n  ${field}:\n    ${inside}\n  template: …`,
    )
  }
}
