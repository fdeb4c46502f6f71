import { MANAGED_BY_TRAINER } from '../trainer/constants.ts'
import { type Draft, fieldsOf } from './draft.ts'
import { translateOverrides } from './overrides.ts'
import { translatePatches } from './patches.ts'
import { POD_FIELDS } from './pod-fields.ts'
import { takeOver } from './take-over.ts'

const SPEC = ['spec'] as const
const TRAINER = ['spec', 'trainer'] as const
const INITIALIZER = ['spec', 'initializer'] as const

/** A TrainJob as the document or an earlier release writes it. `stored` is what an update replaces. */
export function translateTrainJob(draft: Draft, stored: unknown): void {
  const isUpdate = stored !== undefined
  translateEarliest(draft, isUpdate)
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

/** Names of the time before the first release. */
const EARLIEST: readonly (readonly [from: string, to: readonly string[]])[] = [
  ['trainingRuntimeRef', ['runtimeRef']],
  ['trainerConfig', ['trainer']],
  ['datasetConfig', ['initializer', 'dataset']],
  ['modelConfig', ['initializer', 'model']],
]

function translateEarliest(draft: Draft, isUpdate: boolean): void {
  for (const [field, path] of EARLIEST) {
    const [from, to] = [
      [...SPEC, field],
      [...SPEC, ...path],
    ]
    if (draft.get(from) === undefined || !takeOver(draft, from, to, isUpdate)) continue
    draft.note(from, `${field} of earlier releases is ${path.join('.')}`)
    const secret = draft.get([...to, 'secretRef'])
    if (typeof secret === 'string') draft.set([...to, 'secretRef'], { name: secret })
  }
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
  if (spec.failurePolicy !== undefined) {
    draft.error(
      [...SPEC, 'failurePolicy'],
      `expected failurePolicy in the runtime, found it in the TrainJob, which has no such field; write it there and take it out here:\nkind: TrainingRuntime\nmetadata:\n  name: ${String(name)}\nspec:\n  template:\n    spec:\n      failurePolicy:\n        maxRestarts: 3`,
    )
  }
  for (const path of [SPEC, TRAINER]) refusePodFields(draft, path)
}

/** Fields of pods and containers in a job, which has none of them; which job of the runtime is meant is for the author to say. */
function refusePodFields(draft: Draft, path: readonly string[]): void {
  for (const field of Object.keys(draft.fields(path))) {
    const isOfContainer = path === TRAINER && field === 'volumeMounts'
    if (!isOfContainer && !POD_FIELDS.has(field)) continue
    const spec = isOfContainer ? 'containers: [{name: node, volumeMounts: […]}]' : `${field}: …`
    draft.error(
      [...path, field],
      `expected ${field} in a runtime patch, found it in ${path.join('.')}, which has no such field; write it there and take it out here:\nruntimePatches:\n  - manager: example.com/me\n    trainingRuntimeSpec:\n      template:\n        spec:\n          replicatedJobs:\n            - name: node\n              template:\n                spec:\n                  template:\n                    spec:\n                      ${spec}`,
    )
  }
}
