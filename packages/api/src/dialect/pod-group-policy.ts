import { MIN_MEMBER_ANNOTATION, VOLCANO_QUEUE_ANNOTATION } from './annotations.ts'
import { type Draft, fieldsOf } from './draft.ts'
import { takeOver } from './take-over.ts'

const POLICY = ['spec', 'podGroupPolicy'] as const

/** `cosmoscheduling`, `minMember` and `queue` of the document. */
export function translatePodGroupPolicy(draft: Draft, isUpdate: boolean): void {
  const misspelt = [...POLICY, 'cosmoscheduling']
  if (draft.get(misspelt) !== undefined && takeOver(draft, misspelt, [...POLICY, 'coscheduling'], isUpdate)) {
    draft.documentNote(misspelt, 'cosmoscheduling is coscheduling')
  }
  for (const scheduler of ['coscheduling', 'volcano'] as const) {
    const path = [...POLICY, scheduler]
    const { minMember, queue } = fieldsOf(draft.get(path))
    if (minMember !== undefined) {
      if (typeof minMember !== 'number' || !Number.isInteger(minMember) || minMember < 1) {
        draft.error([...path, 'minMember'], `expected a whole number of pods, found ${JSON.stringify(minMember)}`)
      } else {
        draft.move([...path, 'minMember'], ['metadata', 'annotations', MIN_MEMBER_ANNOTATION], String(minMember))
        draft.documentNote(
          [...path, 'minMember'],
          `minMember is the number of all pods; ${minMember} is kept in the annotation ${MIN_MEMBER_ANNOTATION} for where that differs`,
        )
      }
    }
    if (scheduler === 'volcano' && queue !== undefined) {
      if (typeof queue !== 'string' || queue === '') {
        draft.error([...path, 'queue'], `expected the name of a queue, found ${JSON.stringify(queue)}`)
        continue
      }
      const to = ['spec', 'template', 'metadata', 'annotations', VOLCANO_QUEUE_ANNOTATION]
      draft.move([...path, 'queue'], to)
      draft.documentNote([...path, 'queue'], `queue is the annotation ${VOLCANO_QUEUE_ANNOTATION} of the template`)
    }
  }
}
