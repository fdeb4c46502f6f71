import { ClusterTrainingRuntimes, ConfigMaps, JobSets, type KubernetesObject, TrainJobs } from '@trainjob/api'
import { ApiError, type CallOptions, type Reader, type Resource } from '@trainjob/kube'
import { imageVersion, isBefore, type Version, versionText } from './image-version.ts'

/** What was looked at, and how it is. */
export interface ClusterCheck {
  /** Like `JobSet`. */
  readonly name: string
  /** `failed`: no job can run. `warning`: something will not work. `unknown`: it may not be looked at. */
  readonly state: 'ok' | 'warning' | 'failed' | 'unknown'
  /** What was found. */
  readonly message: string
  /** What to do, when there is something. */
  readonly todo?: string
}

interface Deployment extends KubernetesObject {
  readonly spec?: {
    readonly template?: {
      readonly spec?: {
        readonly containers?: readonly { readonly image?: string; readonly args?: readonly string[] }[]
      }
    }
  }
}

const Deployments: Resource<Deployment> = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
}
const Workloads: Resource = {
  group: 'kueue.x-k8s.io',
  version: 'v1beta1',
  plural: 'workloads',
  kind: 'Workload',
  namespaced: true,
}

const OLDEST_JOBSET: Version = [0, 10, 1]
const OLDEST_KUEUE: Version = [0, 12, 0]
const JOBSET_MANIFESTS = 'https://github.com/kubernetes-sigs/jobset/releases/download/v0.12.0/manifests.yaml'

/** A part of a cluster that runs there: its container's image and arguments, and its namespace. */
interface Part {
  readonly namespace: string
  readonly image: string
  readonly args: readonly string[]
}

/**
 * Looks at what TrainJobs need in a cluster: their definitions, JobSet, Kubeflow Trainer's controller and its gate for
 * progress, Kueue, runtimes. Only reads; what may not be read is `unknown`. Rejects when the server does not answer.
 *
 * @example
 * const checks = await checkCluster(client)
 * checks.find(({ name }) => name === 'JobSet')?.state // => 'ok'
 */
export async function checkCluster(reader: Reader, call: CallOptions = {}): Promise<readonly ClusterCheck[]> {
  const parts = await runningParts(reader, call)
  return [
    await checkTrainJobs(reader, call),
    await checkJobSet(reader, parts, call),
    await checkRuntimes(reader, call),
    await checkProgress(reader, parts, call),
    await checkKueue(reader, parts, call),
  ]
}

async function checkTrainJobs(reader: Reader, call: CallOptions): Promise<ClusterCheck> {
  const name = 'TrainJob'
  const served = await isServed(reader, TrainJobs, call)
  if (served === 'no') {
    const todo = 'trainjob controller crds | kubectl apply --server-side -f -'
    return { name, state: 'failed', message: 'TrainJobs are not served', todo }
  }
  return served === 'unknown'
    ? { name, state: 'unknown', message: 'TrainJobs may not be listed' }
    : { name, state: 'ok', message: 'TrainJobs are served' }
}

async function checkJobSet(
  reader: Reader,
  parts: readonly Part[] | undefined,
  call: CallOptions,
): Promise<ClusterCheck> {
  const name = 'JobSet'
  const todo = `kubectl apply --server-side -f ${JOBSET_MANIFESTS}`
  const served = await isServed(reader, JobSets, call)
  if (served === 'no') return { name, state: 'failed', message: 'JobSet is not installed', todo }
  const version = versionOf(parts, /(^|\/)jobset[:@]/)
  if (version === undefined) {
    const message = served === 'yes' ? 'JobSets are served, by which version is not known' : 'JobSets may not be listed'
    return { name, state: served === 'yes' ? 'ok' : 'unknown', message }
  }
  if (!isBefore(version, OLDEST_JOBSET)) return { name, state: 'ok', message: `JobSet ${versionText(version)}` }
  const message = `JobSet ${versionText(version)} is too old: ${versionText(OLDEST_JOBSET)} is needed`
  return { name, state: 'failed', message, todo }
}

async function checkRuntimes(reader: Reader, call: CallOptions): Promise<ClusterCheck> {
  const name = 'runtimes'
  try {
    const { items } = await reader.list(ClusterTrainingRuntimes, call)
    if (items.length > 0) return { name, state: 'ok', message: `${items.length} cluster runtimes` }
    const todo = 'install those of Kubeflow Trainer, or apply a TrainingRuntime with the job'
    return { name, state: 'warning', message: 'there are no cluster runtimes', todo }
  } catch (error) {
    return unreadable(name, 'cluster runtimes', error)
  }
}

/** The document calls the gate TrainJobProgress, upstream TrainJobStatus. */
async function checkProgress(
  reader: Reader,
  parts: readonly Part[] | undefined,
  call: CallOptions,
): Promise<ClusterCheck> {
  const name = 'progress'
  const controller = parts?.find(({ image }) => /trainer-controller-manager/.test(image))
  if (controller === undefined) {
    const message =
      parts === undefined ? 'Deployments may not be listed' : "Kubeflow Trainer's controller does not run here"
    return { name, state: parts === undefined ? 'unknown' : 'ok', message }
  }
  const flags = controller.args.join(' ')
  const flag = /--feature-gates[= ]\S*TrainJobStatus=(true|false)/.exec(flags)?.[1]
  const isOn = flag === undefined ? await isConfigured(reader, controller.namespace, call) : flag === 'true'
  if (isOn) return { name, state: 'ok', message: 'the gate TrainJobStatus is on' }
  return {
    name,
    state: 'warning',
    message: 'the gate TrainJobStatus is off: jobs report no progress, no metrics and no time left',
    todo: `add --feature-gates=TrainJobStatus=true to the arguments of the controller in ${controller.namespace}; see https://github.com/kubeflow/trainer/issues/2779`,
  }
}

async function isConfigured(reader: Reader, namespace: string, call: CallOptions): Promise<boolean> {
  try {
    const { items } = await reader.list(ConfigMaps, { ...call, namespace })
    return items.some(({ data }) => Object.values(data ?? {}).some((text) => /TrainJobStatus["']?: *true/.test(text)))
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

async function checkKueue(
  reader: Reader,
  parts: readonly Part[] | undefined,
  call: CallOptions,
): Promise<ClusterCheck> {
  const name = 'Kueue'
  const served = await isServed(reader, Workloads, call)
  const version = versionOf(parts, /(^|\/)kueue[:@]/)
  if (version === undefined) {
    if (served === 'no') return { name, state: 'ok', message: 'not installed; only jobs that name a queue need it' }
    return { name, state: 'unknown', message: 'installed, in which version is not known' }
  }
  if (!isBefore(version, OLDEST_KUEUE)) return { name, state: 'ok', message: `Kueue ${versionText(version)}` }
  return {
    name,
    state: 'warning',
    message: `Kueue ${versionText(version)} does not know TrainJobs with managedBy: kueue.x-k8s.io/multikueue`,
    todo: `install Kueue ${versionText(OLDEST_KUEUE)} or newer; see https://kueue.sigs.k8s.io/docs/concepts/multikueue/`,
  }
}

async function isServed(reader: Reader, resource: Resource, call: CallOptions): Promise<'yes' | 'no' | 'unknown'> {
  try {
    await reader.list(resource, { ...call, limit: 1 })
    return 'yes'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.httpCode === 404 ? 'no' : 'unknown'
  }
}

/** What runs in the cluster; nothing where that may not be seen. */
async function runningParts(reader: Reader, call: CallOptions): Promise<readonly Part[] | undefined> {
  try {
    const { items } = await reader.list(Deployments, call)
    return items.flatMap(({ metadata, spec }) =>
      (spec?.template?.spec?.containers ?? []).map(({ image = '', args = [] }) => ({
        namespace: metadata.namespace ?? '',
        image,
        args,
      })),
    )
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.httpCode === 404 ? [] : undefined
  }
}

function versionOf(parts: readonly Part[] | undefined, name: RegExp): Version | undefined {
  const image = parts?.find((part) => name.test(part.image))?.image
  return image === undefined ? undefined : imageVersion(image)
}

function unreadable(name: string, what: string, error: unknown): ClusterCheck {
  if (!(error instanceof ApiError)) throw error
  return { name, state: 'unknown', message: `${what} cannot be listed: ${error.message}` }
}
