import { formatFieldPath } from '../field-path.ts'
import { type Draft, fieldsOf } from './draft.ts'
import { POD_FIELDS } from './pod-fields.ts'

const JOBS = ['spec', 'template', 'spec', 'replicatedJobs'] as const

/** Pod fields directly below a job template's spec, which has a pod template for them. */
export function wrapPodFields(draft: Draft, isUpdate: boolean): void {
  draft.list(JOBS).forEach((job, index) => {
    const spec = fieldsOf(fieldsOf(fieldsOf(job).template).spec)
    const path = [...JOBS, index, 'template', 'spec']
    const misplaced = Object.keys(spec).filter((field) => POD_FIELDS.has(field))
    const pod = fieldsOf(fieldsOf(spec.template).spec)
    for (const field of misplaced) {
      const to = [...path, 'template', 'spec', field]
      if (pod[field] !== undefined && !isUpdate) {
        draft.error(
          [...path, field],
          `expected ${field} once, found it in the job's spec and in its pod; keep ${formatFieldPath(to)}`,
        )
        continue
      }
      draft.move([...path, field], to)
    }
    if (misplaced.length > 0) {
      draft.documentNote(path, `${misplaced.join(', ')} of the pod belong below template.spec of the job's spec`)
    }
  })
}
