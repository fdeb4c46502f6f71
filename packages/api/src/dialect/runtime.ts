import type { Draft } from './draft.ts'
import { dropFormerNames } from './drop-former-names.ts'
import { translateMlPolicy } from './ml-policy.ts'
import { translatePodGroupPolicy } from './pod-group-policy.ts'
import { takeOver } from './take-over.ts'
import { nameTrainer } from './trainer-job.ts'
import { wrapPodFields } from './wrap-pod-fields.ts'

const FAILURE_POLICY = ['spec', 'template', 'spec', 'failurePolicy'] as const

/** A runtime as the document or an earlier release writes it. `stored` is what an update replaces. */
export function translateRuntime(draft: Draft, stored: unknown): void {
  const isUpdate = stored !== undefined
  if (stored !== undefined) dropFormerNames(draft, stored as object)
  wrapPodFields(draft, isUpdate)
  translateMlPolicy(draft, isUpdate)
  translatePodGroupPolicy(draft, isUpdate)
  if (draft.get([...FAILURE_POLICY, 'maxRetries']) !== undefined) {
    const from = [...FAILURE_POLICY, 'maxRetries']
    if (takeOver(draft, from, [...FAILURE_POLICY, 'maxRestarts'], isUpdate)) {
      draft.documentNote(from, 'failurePolicy.maxRetries is failurePolicy.maxRestarts')
    }
  }
  nameTrainer(draft, isUpdate)
}
