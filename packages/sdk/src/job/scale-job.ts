import {
  ClusterTrainingRuntimes,
  ELASTIC_ANNOTATION,
  type ElasticPolicy,
  isFinished,
  NODES_ANNOTATION,
  readAnnotation,
  TrainingRuntimes,
  type TrainJob,
  TrainJobs,
} from '@trainjob/api'
import type { CallOptions, Client, ObjectKey } from '@trainjob/kube'
import type { ClusterForm } from '../cluster-form.ts'
import { TrainerError } from '../trainer-error.ts'

/**
 * Asks for another number of nodes. Rejects with `TrainerError` `invalid` when the job has ended, is not elastic, has
 * other bounds, or is in a cluster whose controller cannot scale; else with what the client rejects with.
 */
export async function scaleJob(
  client: Client,
  form: Pick<ClusterForm, 'isUpstream'>,
  key: ObjectKey & { readonly namespace: string },
  nodes: number,
  call: CallOptions & { readonly fieldManager: string },
): Promise<TrainJob> {
  const trainJob = await client.get(TrainJobs, key, call)
  const name = `TrainJob ${key.namespace}/${key.name}`
  if (isFinished(trainJob)) throw new TrainerError('invalid', `cannot scale ${name}: it has ended`)
  if (await form.isUpstream(key.namespace, call)) {
    throw new TrainerError(
      'invalid',
      `cannot scale ${name}: the cluster has Kubeflow Trainer's own controller, which gives a job its nodes once; submit it again with another spec.trainer.numNodes, or to a cluster with the controller of trainjob`,
    )
  }
  const policy = await elasticPolicyOf(client, trainJob, call)
  const { name: runtime } = trainJob.spec.runtimeRef
  if (policy === undefined) {
    throw new TrainerError(
      'invalid',
      `cannot scale ${name}: its runtime ${runtime} is not elastic, so the number of nodes is fixed; submit it again with another spec.trainer.numNodes, or with an elastic runtime such as torch-elastic`,
    )
  }
  const { minReplicas, maxReplicas } = policy
  if (!Number.isInteger(nodes) || nodes < minReplicas || nodes > maxReplicas) {
    throw new TrainerError(
      'invalid',
      `cannot scale ${name} to ${nodes} nodes: its runtime ${runtime} takes ${minReplicas} to ${maxReplicas}`,
    )
  }
  const body = { metadata: { annotations: { [NODES_ANNOTATION]: String(nodes) } } }
  return client.patch(TrainJobs, key, { type: 'merge', body }, call)
}

/** Of the runtime as it is now; a job that runs on keeps the bounds that it began with. */
async function elasticPolicyOf(
  client: Client,
  { metadata, spec }: TrainJob,
  call: CallOptions,
): Promise<ElasticPolicy | undefined> {
  const { name, kind } = spec.runtimeRef
  const runtime =
    kind === 'TrainingRuntime'
      ? await client.get(TrainingRuntimes, { namespace: metadata.namespace ?? 'default', name }, call)
      : await client.get(ClusterTrainingRuntimes, { name }, call)
  return readAnnotation(runtime, ELASTIC_ANNOTATION) as ElasticPolicy | undefined
}
