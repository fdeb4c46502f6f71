import {
  type AnyTrainingRuntime,
  ClusterTrainingRuntimes,
  type ConfigMap,
  ConfigMaps,
  type Event,
  Events,
  type Job,
  type JobSet,
  JobSets,
  Jobs,
  type Node,
  Nodes,
  type Pod,
  Pods,
  type Secret,
  Secrets,
  type Service,
  Services,
  TrainingRuntimes,
  type TrainJob,
  TrainJobs,
} from '@trainjob/api'
import type { KubeObject, Resource } from '@trainjob/kube'
import { state } from '@trainjob/sdk/state'
import { age, humanDuration } from '../../output/age.ts'
import { nodeCount } from '../../output/node-count.ts'
import { podStatus } from '../../output/pod-status.ts'

/** How objects of one kind look as lines of a table. */
export interface Columns<T extends KubeObject = KubeObject> {
  /** Without NAMESPACE, NAME and AGE, which every kind has. */
  readonly headers: readonly string[]
  readonly cells: (object: T, now: number) => readonly string[]
  /** More of them with `-o wide`. */
  readonly wide?: { readonly headers: readonly string[]; readonly cells: (object: T, now: number) => readonly string[] }
  /** Columns in front of NAME, and no AGE: for events. */
  readonly plain?: true
}

const trainJobs: Columns<TrainJob> = {
  headers: ['STATE', 'NODES', 'RUNTIME'],
  cells: (job) => [state(job), text(nodeCount(job)), job.spec.runtimeRef.name],
  wide: {
    headers: ['PROGRESS', 'REASON'],
    cells: ({ status }) => [
      status?.trainerStatus?.progressPercentage === undefined ? '' : `${status.trainerStatus.progressPercentage}%`,
      status?.conditions?.findLast(({ status }) => status === 'True')?.reason ?? '',
    ],
  },
}

const runtimes: Columns<AnyTrainingRuntime> = {
  headers: ['SCOPE', 'FRAMEWORK', 'NODES'],
  cells: (runtime) => [
    runtime.kind === 'ClusterTrainingRuntime' ? 'cluster' : 'namespace',
    runtime.metadata.labels?.['trainer.kubeflow.org/framework'] ?? '',
    text(runtime.spec.mlPolicy?.numNodes ?? 1),
  ],
  wide: {
    headers: ['IMAGES'],
    cells: ({ spec }) => [
      [
        ...new Set(
          (spec.template?.spec?.replicatedJobs ?? []).flatMap(({ template }) =>
            (template.spec?.template.spec?.containers ?? []).map(({ image }) => image ?? ''),
          ),
        ),
      ].join(','),
    ],
  },
}

const jobSets: Columns<JobSet> = {
  headers: ['TERMINALSTATE', 'RESTARTS', 'COMPLETED', 'SUSPENDED'],
  cells: ({ spec, status }) => [
    status?.terminalState ?? '',
    text(status?.restarts ?? 0),
    status?.conditions?.find(({ type }) => type === 'Completed')?.status ?? '',
    text(spec.suspend ?? false),
  ],
}

const jobs: Columns<Job> = {
  headers: ['STATUS', 'COMPLETIONS', 'DURATION'],
  cells: ({ spec, status }, now) => [
    jobStatus(status?.conditions),
    `${status?.succeeded ?? 0}/${spec.completions ?? spec.parallelism ?? 1}`,
    status?.startTime === undefined
      ? ''
      : humanDuration(
          (status.completionTime === undefined ? now : Date.parse(status.completionTime)) -
            Date.parse(status.startTime),
        ),
  ],
}

function jobStatus(conditions: readonly { type: string; status: string }[] = []): string {
  for (const type of ['Complete', 'Failed', 'Suspended', 'FailureTarget', 'SuccessCriteriaMet']) {
    if (conditions.some((one) => one.type === type && one.status === 'True')) return type
  }
  return 'Running'
}

const pods: Columns<Pod> = {
  headers: ['READY', 'STATUS', 'RESTARTS'],
  cells: (pod) => {
    const containers = pod.status?.containerStatuses ?? []
    return [
      `${containers.filter(({ ready }) => ready).length}/${pod.spec.containers.length}`,
      podStatus(pod),
      text(containers.reduce((sum, { restartCount }) => sum + restartCount, 0)),
    ]
  },
  wide: {
    headers: ['IP', 'NODE'],
    cells: ({ spec, status }) => [status?.podIP ?? '<none>', spec.nodeName ?? '<none>'],
  },
}

const nodes: Columns<Node> = {
  headers: ['STATUS', 'CPU', 'MEMORY'],
  cells: ({ status }) => [
    status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ? 'Ready' : 'NotReady',
    status?.allocatable?.cpu ?? '',
    status?.allocatable?.memory ?? '',
  ],
}

const events: Columns<Event> = {
  plain: true,
  headers: ['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'COUNT', 'MESSAGE'],
  cells: (event, now) => [
    age(event.lastTimestamp ?? event.eventTime ?? event.firstTimestamp ?? event.metadata.creationTimestamp, now),
    event.type ?? '',
    event.reason ?? '',
    `${(event.involvedObject.kind ?? '').toLowerCase()}/${event.involvedObject.name ?? ''}`,
    text(event.count ?? 1),
    (event.message ?? '').trim().replaceAll('\n', ' '),
  ],
}

const keyed: Columns<ConfigMap> = {
  headers: ['DATA'],
  cells: ({ data, binaryData }) => [text(Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length)],
}

const secrets: Columns<Secret> = {
  headers: ['TYPE', 'DATA'],
  cells: ({ type, data }) => [type ?? 'Opaque', text(Object.keys(data ?? {}).length)],
}

const services: Columns<Service> = {
  headers: ['CLUSTER-IP', 'PORTS'],
  cells: ({ spec }) => [
    spec.clusterIP ?? '<none>',
    (spec.ports ?? []).map(({ port, protocol }) => `${port}/${protocol ?? 'TCP'}`).join(',') || '<none>',
  ],
}

/** The columns of a kind; kinds without any of their own have NAME and AGE. */
export function columnsOf(resource: Resource): Columns {
  // each entry's cells read exactly the objects of the resource it stands behind
  return (COLUMNS.get(`${resource.group}/${resource.plural}`) ?? { headers: [], cells: () => [] }) as Columns
}

const COLUMNS: ReadonlyMap<string, unknown> = new Map(
  (
    [
      [TrainJobs, trainJobs],
      [ClusterTrainingRuntimes, runtimes],
      [TrainingRuntimes, runtimes],
      [JobSets, jobSets],
      [Jobs, jobs],
      [Pods, pods],
      [Nodes, nodes],
      [Events, events],
      [ConfigMaps, keyed],
      [Secrets, secrets],
      [Services, services],
    ] as const
  ).map(([resource, columns]) => [`${resource.group}/${resource.plural}`, columns]),
)

function text(value: string | number | boolean | undefined): string {
  return value === undefined ? '' : String(value)
}
