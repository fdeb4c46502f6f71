import type { TrainJob } from '@trainjob/api'

/** A job as it is submitted here, and what was changed for that. */
export interface LocalCopy {
  readonly trainJob: TrainJob
  readonly notes: readonly string[]
}

const OWN_MANAGER = 'trainer.kubeflow.org/trainjob-controller'

/**
 * The copy of a job that runs on this machine: what another cluster wrote into it is left out, and so is what would
 * keep it from running here — another manager, or being suspended until somebody resumes it.
 */
export function localCopy(trainJob: TrainJob): LocalCopy {
  const { metadata, spec } = trainJob
  const { managedBy, suspend, ...rest } = spec
  const notes: string[] = []
  if (managedBy !== undefined && managedBy !== OWN_MANAGER) notes.push(`managedBy: ${managedBy} is ignored here`)
  if (suspend === true) notes.push('suspend: true is ignored here')
  const { name, generateName, namespace, labels, annotations } = metadata
  return {
    trainJob: {
      apiVersion: trainJob.apiVersion,
      kind: trainJob.kind,
      metadata: {
        ...(name === undefined ? {} : { name }),
        ...(generateName === undefined ? {} : { generateName }),
        ...(namespace === undefined ? {} : { namespace }),
        ...(labels === undefined ? {} : { labels }),
        ...(annotations === undefined ? {} : { annotations }),
      },
      spec: rest,
    },
    notes,
  }
}
