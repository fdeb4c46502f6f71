import {
  ClusterTrainingRuntimes,
  ConfigMaps,
  Events,
  JobSets,
  Jobs,
  Namespaces,
  Nodes,
  Pods,
  Secrets,
  Services,
  TrainingRuntimes,
  TrainJobs,
} from '@trainjob/api'
import type { KubeObject, Resource } from '@trainjob/kube'
import { CliError } from '../../cli-error.ts'
import { nearest } from '../../help/nearest.ts'

/** Kinds by the words that name them: plural, then singular, then short names. */
const KINDS: readonly { readonly words: readonly string[]; readonly resources: readonly Resource[] }[] = [
  { words: ['trainjobs', 'trainjob', 'tj'], resources: [TrainJobs] },
  { words: ['runtimes', 'runtime', 'rt'], resources: [ClusterTrainingRuntimes, TrainingRuntimes] },
  { words: ['clustertrainingruntimes', 'clustertrainingruntime', 'ctr'], resources: [ClusterTrainingRuntimes] },
  { words: ['trainingruntimes', 'trainingruntime', 'tr'], resources: [TrainingRuntimes] },
  { words: ['jobsets', 'jobset', 'js'], resources: [JobSets] },
  { words: ['jobs', 'job'], resources: [Jobs] },
  { words: ['pods', 'pod', 'po'], resources: [Pods] },
  { words: ['events', 'event', 'ev'], resources: [Events] },
  { words: ['nodes', 'node', 'no'], resources: [Nodes] },
  { words: ['configmaps', 'configmap', 'cm'], resources: [ConfigMaps] },
  { words: ['secrets', 'secret'], resources: [Secrets] },
  { words: ['services', 'service', 'svc'], resources: [Services] },
  { words: ['namespaces', 'namespace', 'ns'], resources: [Namespaces] },
]

/** The kinds that a word stands for, `trainjobs.trainer.kubeflow.org` included; `undefined` when it names none. */
export function kindOf(word: string): readonly Resource[] | undefined {
  const lower = word.toLowerCase()
  return KINDS.find(
    ({ words, resources }) =>
      words.includes(lower) ||
      resources.some(({ plural, group }) => group !== '' && lower === `${plural}.${group}`) ||
      resources.some(({ kind, group }) => group !== '' && lower === `${kind.toLowerCase()}.${group}`),
  )?.resources
}

/** What a command is asked to act on: all objects of some kinds, or some by name. */
export interface Targets {
  readonly resources: readonly Resource[]
  /** Empty: all. */
  readonly names: readonly string[]
}

/**
 * Reads `[NAME...]`, `KIND [NAME...]`, `KIND,KIND` and `KIND/NAME...`. A first word that names no kind is the name of a
 * TrainJob. Throws `CliError` `usage`.
 */
export function readTargets(args: readonly string[]): readonly Targets[] {
  const [first, ...names] = args
  if (first === undefined) return [{ resources: [TrainJobs], names: [] }]
  if (args.some((word) => word.includes('/'))) return args.map(slashed)
  const kinds = first.split(',').map((word) => kindOf(word))
  if (kinds.every((kind) => kind !== undefined)) return [{ resources: kinds.flat(), names }]
  if (first.includes(',')) throw unknownKind(first.split(',').find((word) => kindOf(word) === undefined) ?? first)
  return [{ resources: [TrainJobs], names: args }]
}

function slashed(word: string): Targets {
  const [kind = '', name = '', ...more] = word.split('/')
  if (name === '' || more.length > 0) throw new CliError('usage', `expected KIND/NAME; found "${word}".`)
  const resources = kindOf(kind)
  if (resources === undefined) throw unknownKind(kind)
  return { resources, names: [name] }
}

function unknownKind(word: string): CliError {
  const close = nearest(
    word,
    KINDS.flatMap(({ words }) => words.slice(0, 2)),
  )
  const hint = close === undefined ? '' : ` Did you mean "${close}"?`
  return new CliError('usage', `"${word}" is no kind of object this command knows.${hint}`)
}

/** `trainjob.trainer.kubeflow.org/mnist`, as `-o name` and the lines of `delete` and `apply` say it. */
export function nameOf(resource: Pick<Resource, 'kind' | 'group'>, object: Pick<KubeObject, 'metadata'>): string {
  const kind = resource.kind.toLowerCase()
  return `${resource.group === '' ? kind : `${kind}.${resource.group}`}/${object.metadata.name ?? ''}`
}
