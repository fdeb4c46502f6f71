import { type JobSet, JobSets } from '@trainjob/api'
import type { AdmissionHook } from '@trainjob/controller'
import { type Capacity, fitJobSet } from './fit.ts'

/**
 * Makes every JobSet fit this machine before it is stored. Updates too: whoever applies the original once more must find
 * the same object, not one whose resources differ.
 *
 * @param capacity what the machine has; asked anew each time
 * @param onNote told of every change once
 */
export function fitAdmission(capacity: () => Capacity, onNote: (note: string) => void): AdmissionHook<JobSet> {
  return {
    resource: JobSets,
    async mutate({ object, operation, dryRun }) {
      if (operation === 'DELETE') return object
      const { jobSet, notes } = fitJobSet(object, capacity())
      if (operation === 'CREATE' && !dryRun) for (const note of notes) onNote(note)
      return jobSet
    },
  }
}
