import type { KubeObject } from '@trainjob/kube'
import type { SchemaCheck } from './server/admission.ts'

/** The schemas of our own kinds. They are loaded when the first object is checked: a cluster starts without them. */
export function ownSchemas(): Readonly<Record<string, SchemaCheck>> {
  let loaded: Promise<typeof import('@trainjob/api/validate')> | undefined
  const load = () => {
    loaded ??= import('@trainjob/api/validate')
    return loaded
  }
  const runtime = async (object: KubeObject) => (await load()).validateRuntime(object)
  return {
    'trainjobs.trainer.kubeflow.org': async (object) => (await load()).validateTrainJob(object),
    'trainingruntimes.trainer.kubeflow.org': runtime,
    'clustertrainingruntimes.trainer.kubeflow.org': runtime,
  }
}
