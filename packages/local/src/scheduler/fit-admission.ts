import { type Container, isQuantity, type JobSet, JobSets } from '@trainjob/api'
import type { AdmissionHook } from '@trainjob/controller'
import { type Capacity, fitJobSet } from './fit.ts'

/**
 * Makes every JobSet fit this machine before it is stored. Updates too: whoever applies the original once more must find
 * the same object, not one whose resources differ.
 *
 * @param capacity what the machine has; asked anew each time
 * @param onNote told of every change once
 */
export function fitAdmission(
  capacity: () => Capacity | Promise<Capacity>,
  onNote: (note: string) => void,
): AdmissionHook<JobSet> {
  return {
    resource: JobSets,
    async mutate({ object, operation, subresource, dryRun }) {
      if (operation === 'DELETE' || subresource !== undefined || !hasReadableQuantities(object)) return object
      const { jobSet, notes } = fitJobSet(object, await capacity())
      if (operation === 'CREATE' && !dryRun) for (const note of notes) onNote(note)
      return jobSet
    },
  }
}

/** What cannot be read is refused by validation, later. */
function hasReadableQuantities({ spec }: JobSet): boolean {
  return (spec?.replicatedJobs ?? []).every(({ template }) => {
    const pod = template?.spec?.template?.spec
    return [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])].every(isReadable)
  })
}

function isReadable({ resources }: Container): boolean {
  return [resources?.requests, resources?.limits].every((list) => Object.values(list ?? {}).every(isQuantity))
}
