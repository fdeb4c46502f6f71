import type { AnyTrainingRuntime, ReplicatedJob } from '@trainjob/api'
import type { DeviationId } from '@trainjob/runtime'
import type { Answer, Question } from '../oracle/oracle.ts'
import { ourVerdict, upstreamVerdict } from './answers.ts'
import { differences } from './differences.ts'

/** Where a deliberate difference may show. */
interface Trace {
  readonly at: RegExp
  readonly when: (asked: Question) => boolean
}

type Policy = NonNullable<AnyTrainingRuntime['spec']['mlPolicy']>

const policyOf = ({ runtimes: [runtime] }: Question): Policy => runtime?.spec.mlPolicy ?? {}
const jobsOf = ({ runtimes: [runtime] }: Question): readonly ReplicatedJob[] =>
  runtime?.spec.template?.spec?.replicatedJobs ?? []

const hasFramework = (asked: Question): boolean =>
  policyOf(asked).torch !== undefined || policyOf(asked).jax !== undefined || policyOf(asked).xgboost !== undefined
const isMpi = (asked: Question): boolean => policyOf(asked).mpi !== undefined
const isFlux = (asked: Question): boolean => policyOf(asked).flux !== undefined
const hasResources = ({ trainJob }: Question): boolean => trainJob.spec.trainer?.resourcesPerNode !== undefined

/** Where each difference of docs/deviations.md shows: nowhere else may the verdicts differ. */
const TRACES: Readonly<Record<DeviationId, Trace>> = {
  'env-without-trainer': {
    at: /\.env($|\[(PET|JAX|DMLC)_)|\.ports($|\[)/,
    when: (asked) => hasFramework(asked) && asked.trainJob.spec.trainer === undefined,
  },
  'process-count-from-merged-resources': {
    at: /\[(PET_NPROC_PER_NODE|OMPI_MCA_orte_set_default_slots|DMLC_NUM_WORKER)\]|\.data\.hostfile$|\.command/,
    when: hasResources,
  },
  'master-address-of-the-trainer-job': {
    at: /\[(PET_MASTER_ADDR|JAX_COORDINATOR_ADDRESS|DMLC_TRACKER_URI)\]|\[Secret job-flux-curve\]|\.command/,
    when: (asked) => hasFramework(asked) || isFlux(asked),
  },
  'unnamed-ports': { at: /\.ports($|\[)/, when: () => true },
  'resources-without-policy': {
    at: /\.resources($|\.)|\.minResources/,
    when: (asked) => hasResources(asked) && asked.runtimes[0]?.spec.mlPolicy === undefined,
  },
  'resource-claims': { at: /\.resources($|\.claims)/, when: hasResources },
  'env-from-file-key': { at: /\.env\[[^\]]*\]\.valueFrom/, when: () => true },
  'one-launcher': {
    at: /\.(parallelism|completions)$|\.minMember$|\.minResources|\.data\.hostfile$|^\.podSets/,
    when: isMpi,
  },
  'launcher-as-only-node': {
    at: /\.(parallelism|completions)$|\.minMember$|\.minResources|\.data\.hostfile$|^\.podSets/,
    when: (asked) => policyOf(asked).mpi?.runLauncherAsNode === true,
  },
  'env-in-mpi-workers': {
    at: /\.env($|\[)/,
    when: (asked) => isMpi(asked) && asked.trainJob.spec.trainer?.env !== undefined,
  },
  'flux-without-trainer': {
    at: /^\.(objects$|podSets)/,
    when: (asked) => isFlux(asked) && asked.trainJob.spec.trainer?.numNodes === undefined,
  },
  'flux-exit-code': { at: /\[ConfigMap job-flux-entrypoint\]\.data/, when: isFlux },
  'gang-of-those-who-start-together': {
    at: /\[PodGroup job\]\.spec\.min|\.template\.metadata\.(labels|annotations)($|\.scheduling)/,
    when: (asked) =>
      asked.runtimes[0]?.spec.template?.spec?.startupPolicy !== undefined ||
      jobsOf(asked).some(({ dependsOn }) => dependsOn !== undefined),
  },
}

/** Where ours differs from upstream although nothing in docs/deviations.md says so, and what of it was seen. */
export function undocumented(
  asked: Question,
  answer: Answer,
): { readonly differences: readonly string[]; readonly seen: readonly DeviationId[] } {
  const found = differences(ourVerdict(asked, { differs: true }), upstreamVerdict(answer))
  const applying = Object.entries(TRACES).filter(([, { when }]) => when(asked))
  const seen = applying.filter(([, { at }]) => found.some((one) => at.test(one)))
  return {
    differences: found.filter((one) => !applying.some(([, { at }]) => at.test(one))),
    seen: seen.map(([id]) => id as DeviationId),
  }
}
