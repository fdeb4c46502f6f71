import type { Draft } from './draft.ts'
import { dropFormerNames } from './drop-former-names.ts'
import { translateMlPolicy } from './ml-policy.ts'
import { translatePodGroupPolicy } from './pod-group-policy.ts'
import { takeOver } from './take-over.ts'
import { nameTrainer } from './trainer-job.ts'
import { wrapPodFields } from './wrap-pod-fields.ts'

const FAILURE_POLICY = ['spec', 'template', 'spec', 'failurePolicy'] as const

/** Pod fields where a JobSet's are: there is no job that they could be of. */
function refusePodTemplate(draft: Draft): void {
  const path = ['spec', 'template', 'spec']
  if (draft.get([...path, 'containers']) === undefined || draft.get([...path, 'replicatedJobs']) !== undefined) return
  draft.error(
    [...path, 'containers'],
    'expected replicatedJobs, found the containers of a pod; put them into a job that trains:\nreplicatedJobs:\n  - name: node\n    template:\n      metadata:\n        labels:\n          trainer.kubeflow.org/trainjob-ancestor-step: trainer\n      spec:\n        template:\n          spec:\n            containers:\n              - name: node',
  )
}

/** A runtime as the document or an earlier release writes it. `stored` is what an update replaces. */
export function translateRuntime(draft: Draft, stored: unknown): void {
  const isUpdate = stored !== undefined
  if (stored !== undefined) dropFormerNames(draft, stored as object)
  wrapPodFields(draft, isUpdate)
  refusePodTemplate(draft)
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
