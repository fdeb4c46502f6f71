import type { ReplicatedJob } from '../kubernetes/jobset.ts'
import {
  ANCESTOR_DATASET_INITIALIZER,
  ANCESTOR_LABEL,
  ANCESTOR_MODEL_INITIALIZER,
  FRAMEWORK_LABEL,
  LAUNCHER_NAME,
  NODE_NAME,
} from '../trainer/constants.ts'
import type { AnyTrainingRuntime } from '../trainer/types.ts'
import { ancestorOf, isTrainer, jobsOf, podOf } from './nodes-of.ts'
import { jobRule, type LintRule, runtimeRule } from './rule.ts'

/** Advice about runtimes. */
export const RUNTIME_RULES: readonly LintRule[] = [
  runtimeRule(
    {
      code: 'no-ml-policy',
      explanation: 'Without mlPolicy numNodes is ignored, and no framework environment is set.',
      fix: 'add mlPolicy: {numNodes: 1} and the policy of the framework',
      link: 'https://trainer.kubeflow.org/en/latest/operator-guides/runtime.html',
    },
    ({ spec }) => (spec.mlPolicy === undefined ? [{ path: 'spec', message: 'mlPolicy is left out' }] : []),
  ),
  runtimeRule(
    {
      code: 'no-trainer-job',
      explanation: 'spec.trainer of a job goes to the replicated job with the ancestor label; here it goes nowhere.',
      fix: 'label the template of the job that trains trainer.kubeflow.org/trainjob-ancestor-step: trainer',
      link: 'https://github.com/kubeflow/trainer/issues/2502',
    },
    (runtime) => {
      const jobs = jobsOf(runtime)
      if (jobs.length === 0 || jobs.some(({ job }) => isTrainer(job))) return []
      return [
        { path: 'spec.template.spec.replicatedJobs', message: 'no replicated job has the ancestor label trainer' },
      ]
    },
  ),
  runtimeRule(
    {
      code: 'ancestor-label-on-pods',
      explanation: 'The ancestor label counts on the template of the job; on that of the pods nobody looks at it.',
      fix: 'move the label to template.metadata.labels of the replicated job',
      link: 'https://github.com/kubeflow/trainer/tree/v2.3.0/manifests/base/runtimes',
    },
    (runtime) =>
      jobsOf(runtime)
        .filter(({ job }) => {
          const { metadata } = job.template?.spec?.template ?? {}
          return ancestorOf(job) === undefined && metadata?.labels?.[ANCESTOR_LABEL] !== undefined
        })
        .map(({ job, path }) => ({
          path: `${path}.template.spec.template.metadata.labels`,
          message: `the pods of ${job.name} have the ancestor label, the job has not`,
        })),
  ),
  runtimeRule(
    {
      code: 'replicas-of-workers',
      explanation: 'Nodes are pods of one Job: more replicas multiply them, and nothing checks this job.',
      fix: 'remove replicas, and set mlPolicy.numNodes or spec.trainer.numNodes',
      link: 'https://github.com/kubeflow/trainer/issues/2502',
    },
    (runtime) =>
      jobsOf(runtime)
        .filter(({ job }) => ancestorOf(job) === undefined && job.name === NODE_NAME && (job.replicas ?? 1) !== 1)
        .map(({ job, path }) => ({ path: `${path}.replicas`, message: `${job.replicas} replicas of ${job.name}` })),
  ),
  runtimeRule(
    {
      code: 'ttl-rebuilds-failed-jobs',
      explanation:
        'When the JobSet of a failed job goes by its time to live, upstream 2.3.0 builds it again and again.',
      fix: 'leave ttlSecondsAfterFinished out of the template, or clean up TrainJobs instead',
      link: 'https://github.com/kubeflow/trainer/issues/3737',
    },
    ({ spec }) =>
      spec.template?.spec?.ttlSecondsAfterFinished === undefined
        ? []
        : [{ path: 'spec.template.spec.ttlSecondsAfterFinished', message: 'the JobSet has a time to live' }],
  ),
  runtimeRule(
    {
      code: 'own-subdomain',
      explanation: 'Upstream looks for the first node at <job>-node-0-0.<job>, whatever subdomain and job name say.',
      fix: `leave network.subdomain out, and call the replicated job ${NODE_NAME}`,
      link: 'https://github.com/kubeflow/trainer/blob/v2.3.0/pkg/runtime/framework/plugins/torch/torch.go',
    },
    (runtime) => {
      if (runtime.spec.mlPolicy?.torch === undefined) return []
      const subdomain = runtime.spec.template?.spec?.network?.subdomain
      const misnamed = jobsOf(runtime).filter(({ job }) => isTrainer(job) && job.name !== NODE_NAME)
      return [
        ...(subdomain === undefined
          ? []
          : [{ path: 'spec.template.spec.network.subdomain', message: `the subdomain is ${subdomain}` }]),
        ...misnamed.map(({ job, path }) => ({
          path: `${path}.name`,
          message: `the job that trains is called ${job.name}`,
        })),
      ]
    },
  ),
  runtimeRule(
    {
      code: 'no-framework-label',
      explanation: 'The Python SDK lists runtimes with the framework label only.',
      fix: `add the label ${FRAMEWORK_LABEL}: torch (or jax, mpi, …)`,
      link: 'https://github.com/kubeflow/trainer/tree/v2.3.0/manifests/base/runtimes',
    },
    ({ metadata }) =>
      metadata.labels?.[FRAMEWORK_LABEL] === undefined
        ? [{ path: 'metadata', message: `no label ${FRAMEWORK_LABEL}` }]
        : [],
  ),
  runtimeRule(
    {
      code: 'trainer-label-on-workers',
      explanation:
        'With a launcher, spec.trainer belongs to it: image and command would also replace sshd of the workers.',
      fix: 'remove the ancestor label from the workers, and keep it on the launcher',
      link: 'https://github.com/kubeflow/trainer/issues/4030',
    },
    (runtime) => {
      const trainers = jobsOf(runtime).filter(({ job }) => isTrainer(job))
      if (runtime.spec.mlPolicy?.mpi === undefined || trainers.length < 2) return []
      return trainers
        .filter(({ job }) => job.name === NODE_NAME)
        .map(({ path }) => ({
          path: `${path}.template.metadata.labels`,
          message: 'workers and launcher both have the ancestor label',
        }))
    },
  ),
  runtimeRule(
    {
      code: 'several-worker-groups',
      explanation: `mpirun reaches the pods of ${NODE_NAME} only, and of the launcher where it is a node itself.`,
      fix: `have all workers in the replicated job ${NODE_NAME}`,
      link: 'https://github.com/kubeflow/trainer/issues/4064',
    },
    (runtime) =>
      runtime.spec.mlPolicy?.mpi === undefined
        ? []
        : jobsOf(runtime)
            .filter(({ job }) => job.name !== NODE_NAME && job.name !== LAUNCHER_NAME && !isInitializer(job))
            .map(({ job, path }) => ({ path: `${path}.name`, message: `the hostfile leaves out ${job.name}` })),
  ),
  runtimeRule(
    {
      code: 'launcher-does-not-wait',
      explanation: 'A launcher that starts ahead of its workers cannot reach them, and fails.',
      fix: `add dependsOn: [{name: ${NODE_NAME}, status: Ready}] to the launcher`,
      link: 'https://github.com/kubeflow/trainer/issues/2751',
    },
    (runtime) =>
      launchersOf(runtime)
        .filter(({ job }) => !job.dependsOn?.some(({ name }) => name === NODE_NAME))
        .map(({ path }) => ({ path, message: `the launcher does not depend on ${NODE_NAME}` })),
  ),
  runtimeRule(
    {
      code: 'launcher-container-name',
      explanation: `The hostfile and the ssh keys are mounted into a container called ${NODE_NAME}, and into no other.`,
      fix: `call the container of the launcher ${NODE_NAME}`,
      link: 'https://github.com/kubeflow/trainer/blob/v2.3.0/pkg/runtime/framework/plugins/mpi/mpi.go',
    },
    (runtime) =>
      launchersOf(runtime).flatMap(({ job, path }) => {
        const names = (podOf(job).containers ?? []).map(({ name }) => name)
        if (names.length === 0 || names.includes(NODE_NAME)) return []
        const at = `${path}.template.spec.template.spec.containers`
        return [{ path: at, message: `the launcher has the containers ${names.join(', ')}` }]
      }),
  ),
  jobRule(
    {
      code: 'env-of-mpi-workers',
      explanation: 'Upstream gives trainer.env to the launcher only, unless it is a node itself.',
      fix: 'pass variables on with mpirun -x NAME',
      link: 'https://github.com/kubeflow/trainer/issues/3427',
    },
    ({ spec }, runtime) => {
      const mpi = runtime?.spec.mlPolicy?.mpi
      const count = spec.trainer?.env?.length ?? 0
      if (mpi === undefined || mpi.runLauncherAsNode === true || count === 0) return []
      return [{ path: 'spec.trainer.env', message: `${count} variables that the workers may not see` }]
    },
  ),
  jobRule(
    {
      code: 'mpi-on-one-node',
      explanation:
        'With runLauncherAsNode upstream always has a worker beside the launcher: two nodes in place of one.',
      fix: 'ask for two nodes, or use a runtime without runLauncherAsNode',
      link: 'https://github.com/kubeflow/trainer/issues/3954',
    },
    ({ spec }, runtime) =>
      runtime?.spec.mlPolicy?.mpi?.runLauncherAsNode === true && spec.trainer?.numNodes === 1
        ? [{ path: 'spec.trainer.numNodes', message: 'one node, of which the launcher is one' }]
        : [],
  ),
  jobRule(
    {
      code: 'runtime-kind-left-out',
      explanation:
        'Upstream reads a runtimeRef without kind as a ClusterTrainingRuntime; this one is of the namespace.',
      fix: 'write kind: TrainingRuntime into runtimeRef',
      link: 'https://github.com/kubeflow/trainer/blob/v2.3.0/pkg/apis/trainer/v1alpha1/trainjob_types.go',
    },
    ({ spec }, runtime) =>
      spec.runtimeRef.kind === undefined && runtime?.kind === 'TrainingRuntime'
        ? [{ path: 'spec.runtimeRef', message: `${spec.runtimeRef.name} is a TrainingRuntime` }]
        : [],
  ),
]

/** The launcher of an MPI runtime that has workers beside it. */
function launchersOf(runtime: AnyTrainingRuntime): ReturnType<typeof jobsOf> {
  const jobs = jobsOf(runtime)
  if (runtime.spec.mlPolicy?.mpi === undefined || !jobs.some(({ job }) => job.name === NODE_NAME)) return []
  return jobs.filter(({ job }) => job.name === LAUNCHER_NAME)
}

function isInitializer(job: ReplicatedJob): boolean {
  const names: readonly (string | undefined)[] = [ANCESTOR_DATASET_INITIALIZER, ANCESTOR_MODEL_INITIALIZER]
  return names.includes(ancestorOf(job)) || names.includes(job.name)
}
