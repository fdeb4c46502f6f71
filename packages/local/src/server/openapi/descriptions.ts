import type { JsonSchema } from '@trainjob/api/schema'

/** What `kubectl explain` says about fields of Trainer's kinds, by path; `[]` stands for an item. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  TrainJob: 'A training job: which runtime runs it, and what of the runtime it changes.',
  'TrainJob.spec': 'What is to run.',
  'TrainJob.spec.runtimeRef': 'The TrainingRuntime or ClusterTrainingRuntime that says how jobs of this kind run.',
  'TrainJob.spec.runtimeRef.name': 'Name of the runtime.',
  'TrainJob.spec.runtimeRef.kind':
    'ClusterTrainingRuntime (the default) or TrainingRuntime, which is looked for in the namespace of the job.',
  'TrainJob.spec.runtimeRef.apiGroup': 'API group of the runtime: trainer.kubeflow.org.',
  'TrainJob.spec.initializer': 'What is fetched before training starts.',
  'TrainJob.spec.initializer.dataset': 'The data to train on.',
  'TrainJob.spec.initializer.model': 'The model to start from.',
  'TrainJob.spec.trainer': 'The training process: what runs on each node, and on how many.',
  'TrainJob.spec.trainer.image': 'Container image of the training nodes; that of the runtime when left out.',
  'TrainJob.spec.trainer.command': 'Command of the training container; that of the runtime when left out.',
  'TrainJob.spec.trainer.args': 'Arguments of the command.',
  'TrainJob.spec.trainer.env': 'Environment variables, added to those of the runtime.',
  'TrainJob.spec.trainer.numNodes': 'How many training nodes there are.',
  'TrainJob.spec.trainer.resourcesPerNode': 'Resources that each training node gets.',
  'TrainJob.spec.trainer.numProcPerNode': 'How many training processes run on each node.',
  'TrainJob.spec.runtimePatches': 'Changes to what the runtime would create, one entry for each party that makes them.',
  'TrainJob.spec.suspend': 'Whether the job is held: no pods run while it is.',
  'TrainJob.spec.activeDeadlineSeconds': 'Seconds after which a job that still runs is failed.',
  'TrainJob.spec.managedBy': 'The controller that looks after this job.',
  'TrainJob.status': 'How it goes.',
  'TrainJob.status.conditions': 'Suspended, Complete or Failed, with reasons.',
  'TrainJob.status.jobsStatus': 'Counts of the jobs that run it, one entry for each.',
  'TrainJob.status.trainerStatus': 'Progress that the training process reported itself.',
  TrainingRuntime: 'How a kind of training job runs, for the jobs of one namespace.',
  ClusterTrainingRuntime: 'How a kind of training job runs, for the jobs of all namespaces.',
  'TrainingRuntime.spec.mlPolicy':
    'What the framework needs: how many nodes and processes, and how they find each other.',
  'TrainingRuntime.spec.podGroupPolicy': 'How all pods of a job are scheduled together.',
  'TrainingRuntime.spec.template': 'The JobSet that a job becomes.',
}

/** A schema with a text on each field that has one; `path` starts with the kind. */
export function described(schema: JsonSchema, path: string): JsonSchema {
  const description = DESCRIPTIONS[path] ?? DESCRIPTIONS[path.replace('ClusterTrainingRuntime.', 'TrainingRuntime.')]
  const { properties } = schema
  return {
    ...(description !== undefined && { description }),
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [name, described(child, `${path}.${name}`)]),
      ),
    }),
  }
}
