import type { Job } from '@trainjob/api'
import { type Column, column, NAME, WIDE } from './column.ts'
import { ageText, durationText } from './duration-text.ts'
import { selectorText } from './selector-text.ts'

/** Conditions in the order in which they speak for a job. */
const ENDED = ['Complete', 'Failed'] as const
const UNDER_WAY = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'] as const

/** What kubectl shows of a Job (source: pkg/printers/internalversion, printJob). */
export const JOB_COLUMNS: readonly Column[] = [
  NAME,
  column('Status', (object) => statusOf(object as Job)),
  column('Completions', (object) => completionsOf(object as Job)),
  column('Duration', (object, now) => {
    const { startTime, completionTime } = (object as Job).status ?? {}
    if (!startTime) return ''
    return durationText((completionTime ? Date.parse(completionTime) : now) - Date.parse(startTime))
  }),
  column('Age', ({ metadata }, now) => ageText(metadata.creationTimestamp, now)),
  column(
    'Containers',
    (object) =>
      containersOf(object as Job)
        .map(({ name }) => name)
        .join(','),
    WIDE,
  ),
  column(
    'Images',
    (object) =>
      containersOf(object as Job)
        .map(({ image = '' }) => image)
        .join(','),
    WIDE,
  ),
  column('Selector', (object) => selectorText((object as Job).spec.selector), WIDE),
]

function statusOf(job: Job): string {
  const holds = (type: string) =>
    job.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true
  const ended = ENDED.find(holds)
  if (ended !== undefined) return ended
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating'
  return UNDER_WAY.find(holds) ?? 'Running'
}

function completionsOf({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0
  if (spec.completions !== undefined && spec.completions !== null) return `${succeeded}/${spec.completions}`
  const parallelism = spec.parallelism ?? 0
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function containersOf({ spec }: Job) {
  return spec.template.spec?.containers ?? []
}
