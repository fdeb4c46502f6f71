import type { AnyTrainingRuntime } from '@trainjob/api'
import type { Answer, Question } from '../oracle/oracle.ts'
import { ourVerdict, upstreamVerdict } from './answers.ts'
import { differences } from './differences.ts'

/** Something that Kubeflow Trainer changed between 2.2.1 and 2.3.0, and where it shows. */
export interface Change {
  readonly change: string
  /** Pull requests of kubeflow/trainer. */
  readonly pulls: readonly number[]
  /** Differences of the verdicts that it explains. */
  readonly at: RegExp
  /** Questions to which it applies; all when left out. */
  readonly when?: (asked: Question, answer: Answer) => boolean
}

function policyOf({ runtimes: [runtime] }: Question): NonNullable<AnyTrainingRuntime['spec']['mlPolicy']> {
  return runtime?.spec.mlPolicy ?? {}
}

const isTune = ({ trainJob }: Question): boolean => trainJob.spec.trainer?.command?.[0] === 'tune'

/** Whether a patch names a replicated job that the runtime does not have. */
function patchesStrangers({ runtimes: [runtime], trainJob }: Question): boolean {
  const known = new Set(runtime?.spec.template?.spec?.replicatedJobs?.map(({ name }) => name))
  const patched = (trainJob.spec.runtimePatches ?? []).flatMap(
    (one) => one.trainingRuntimeSpec?.template?.spec?.replicatedJobs ?? [],
  )
  return patched.some(({ name }) => !known.has(name))
}

/** Everything that may differ. */
export const CHANGES: readonly Change[] = [
  {
    change: 'the files of ssh have modes',
    pulls: [3649],
    at: /\.volumes\[mpi-ssh-auth\]\.secret\.(defaultMode|items)/,
    when: (asked) => policyOf(asked).mpi !== undefined,
  },
  {
    change: 'flux has shared memory, and looks at the number of processes of the job',
    pulls: [3325, 3561],
    at: /\.(volumes\[shared-memory\]|volumeMounts\[\/dev\/shm\])|^\.jobFaults\[spec\.trainer\.numProcPerNode\]|^\.allowed/,
    when: (asked) => policyOf(asked).flux !== undefined,
  },
  {
    change: 'resourcesPerNode is merged with what the runtime asks for, in the trainer and in MPI nodes alone',
    pulls: [3602],
    at: /\.resources($|\.)|\.minResources|hostfile|\[(PET_NPROC_PER_NODE|OMPI_MCA_orte_set_default_slots|DMLC_NUM_WORKER)\]|\[TRAIN/,
    when: ({ trainJob }) => trainJob.spec.trainer?.resourcesPerNode !== undefined,
  },
  {
    change: 'patches are merged into the JobSet as a whole: what is new in them is added, in the order of the runtime',
    pulls: [3709],
    at: /^\.objects($|\[JobSet job\]\.spec\.replicatedJobs|\[PodGroup job\]\.spec\.min|\[ConfigMap job-mpi-hostfile\])|^\.(jobFaults|allowed|podSets)/,
    when: patchesStrangers,
  },
  {
    change: 'patches may set terminationGracePeriodSeconds',
    pulls: [3324],
    at: /\.terminationGracePeriodSeconds$/,
    when: ({ trainJob }) => trainJob.spec.runtimePatches !== undefined,
  },
  {
    change: 'torch gives its variables to containers that the runtime names, which must exist',
    pulls: [3417, 3516],
    at: /ontainers\[[^\]]*\]\.env($|\[PET_)|^\.(objects$|podSets)|^\.(jobFaults\[spec\.runtimeRef\]|allowed)/,
    when: (asked) => policyOf(asked).torch?.envInjection !== undefined,
  },
  {
    change: 'what policies add to init containers reaches the JobSet, and with it their ports are written twice',
    pulls: [3516, 3674],
    at: /\.initContainers\[[^\]]*\]\.(ports|env|image|command|volumeMounts)/,
  },
  {
    change: 'flux starts what the container of the runtime starts, also where the job has arguments or nothing',
    pulls: [3674],
    at: /\.containers\[[^\]]*\]\.command(\[|$)/,
    when: (asked) => policyOf(asked).flux !== undefined,
  },
  {
    change: 'initializers need their volume',
    pulls: [3714],
    at: /^\.(jobFaults\[spec\.runtimeRef\]|allowed)/,
    when: ({ trainJob }) => trainJob.spec.initializer !== undefined,
  },
  {
    change: 'torchtune refuses LoRA on several nodes and items that the runtime sets, and reads its switches exactly',
    pulls: [3302],
    at: /^\.(jobFaults\[spec\.(trainer\.(args|numNodes)|runtimeRef\.name)|allowed)|\.command(\[|$)/,
    when: isTune,
  },
  {
    change: 'MPI has reserved variables',
    pulls: [3491],
    at: /^\.(jobFaults\[spec\.trainer\.env\]|allowed)/,
    when: (asked) => policyOf(asked).mpi !== undefined,
  },
  {
    change: 'jobs of several replicas have the names of all of their pods',
    pulls: [3539],
    at: /^\.objects\[ConfigMap job-mpi-hostfile\]\.data\.hostfile/,
    when: ({ runtimes: [runtime] }) =>
      runtime?.spec.template?.spec?.replicatedJobs?.some(({ replicas = 1 }) => replicas > 1) === true,
  },
  {
    change: 'jax without a trainer no longer crashes',
    pulls: [3563],
    at: /^\.(objects$|podSets)/,
    when: (asked, { error = '' }) => policyOf(asked).jax !== undefined && error.startsWith('panic'),
  },
]

/** The differences between ours and the release before that no change explains, and the changes that were seen. */
export function unexplained(
  asked: Question,
  answer: Answer,
): { readonly differences: readonly string[]; readonly seen: readonly Change[] } {
  const found = differences(ourVerdict(asked), upstreamVerdict(answer))
  const applying = CHANGES.filter(({ when }) => when?.(asked, answer) ?? true)
  const seen = applying.filter(({ at }) => found.some((one) => at.test(one)))
  return { differences: found.filter((one) => !applying.some(({ at }) => at.test(one))), seen }
}
