import type { TrainJob } from '@trainjob/api'
import type { SchemaCheck } from './server/admission.ts'

/**
 * The schemas of our own kinds. They are loaded when the first object is checked: a cluster starts without them. What
 * admission could not translate into the canonical form is told as what it is, not as unknown fields.
 */
export function ownSchemas(): Readonly<Record<string, SchemaCheck>> {
  let loaded: Promise<typeof import('@trainjob/api/validate')> | undefined
  const load = () => {
    loaded ??= import('@trainjob/api/validate')
    return loaded
  }
  const check: SchemaCheck = async (object) => (await load()).validateWritten(object)
  return {
    'trainjobs.trainer.kubeflow.org': check,
    'trainjobs.trainer.kubeflow.org/status': async (object) =>
      (await load()).validateTrainJobStatus(object as TrainJob),
    'trainingruntimes.trainer.kubeflow.org': check,
    'clustertrainingruntimes.trainer.kubeflow.org': check,
  }
}
