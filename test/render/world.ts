import {
  ClusterTrainingRuntimes,
  ConfigMaps,
  JobSets,
  type KubernetesObject,
  type ResourceType,
  Secrets,
  TrainingRuntimes,
  type TrainJob,
  TrainJobs,
} from '@trainjob/api'
import { apiVersionOf, type Client, createClient, pathOf, type Transport } from '@trainjob/kube'
import type { Question } from '../oracle/oracle.ts'

const foreign = (
  group: string,
  version: string,
  kind: string,
  plural: string,
  namespaced = true,
): ResourceType<KubernetesObject> => ({
  group,
  version,
  plural,
  kind,
  namespaced,
})

const KINDS: readonly ResourceType<KubernetesObject>[] = [
  TrainJobs,
  TrainingRuntimes,
  ClusterTrainingRuntimes,
  JobSets,
  ConfigMaps,
  Secrets,
  foreign('scheduling.x-k8s.io', 'v1alpha1', 'PodGroup', 'podgroups'),
  foreign('scheduling.volcano.sh', 'v1beta1', 'PodGroup', 'podgroups'),
  foreign('scheduling.k8s.io', 'v1', 'PriorityClass', 'priorityclasses', false),
] as readonly ResourceType<KubernetesObject>[]

/**
 * The cluster of a question as our controller sees it, like the one that the oracle makes for upstream's: reads are
 * answered from the question, what is applied and deleted is kept and not done, and the requests that are meant to fail
 * do.
 */
export interface World {
  readonly client: Client
  readonly applied: readonly KubernetesObject[]
  /** As `kind name`. */
  readonly deleted: readonly string[]
  /** With the status that was written. */
  trainJob(): TrainJob
}

export function worldOf({ runtimes, objects = [], trainJob, failing = [] }: Question): World {
  const stored = new Map<string, KubernetesObject>()
  const namespace = trainJob.metadata.namespace ?? 'default'
  for (const object of [...objects, ...runtimes, trainJob]) stored.set(pathFor(object, namespace), object)
  const self = pathFor(trainJob, namespace)
  const applied: KubernetesObject[] = []
  const deleted: string[] = []

  const transport: Transport = {
    async request({ method, path, headers, body }) {
      const { resource, name } = addressed(path)
      const verb = { GET: 'get', DELETE: 'delete', POST: 'apply', PATCH: 'apply', PUT: 'update' }[method]
      if (failing.includes(`${verb} ${resource.kind}`)) return answer(500, failure(500, 'it is meant to fail'))
      if (method === 'DELETE') {
        deleted.push(`${resource.kind} ${name}`)
        return answer(200, {})
      }
      if (method === 'GET' && name !== undefined) {
        const found = stored.get(path)
        return found === undefined ? answer(404, failure(404, `${path} not found`)) : answer(200, found)
      }
      if (method === 'GET') {
        const items = [...stored].filter(([key]) => key.startsWith(`${path}/`)).map(([, object]) => object)
        return answer(200, { kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata: {}, items })
      }
      if (path === `${self}/status`) {
        const now = stored.get(self) as TrainJob
        const after = { ...now, status: merged(now.status ?? {}, (body as TrainJob).status ?? {}) }
        stored.set(self, after)
        return answer(200, after)
      }
      if (method === 'POST' && stored.has(`${path}/${(body as KubernetesObject).metadata.name}`)) {
        return answer(409, { ...failure(409, 'it exists'), reason: 'AlreadyExists' })
      }
      if (method === 'PATCH' && headers?.['content-type'] !== 'application/apply-patch+yaml') {
        throw new Error(`Nothing but an apply is expected at ${path}.`)
      }
      applied.push(body as KubernetesObject)
      return answer(200, body)
    },
    close: async () => {},
  }
  return { client: createClient(transport), applied, deleted, trainJob: () => stored.get(self) as TrainJob }
}

function pathFor(object: KubernetesObject, namespace: string): string {
  const resource = KINDS.find((one) => one.kind === object.kind && apiVersionOf(one) === object.apiVersion)
  if (resource === undefined) throw new Error(`${object.kind} of ${object.apiVersion} is not expected in a question.`)
  const { name = '' } = object.metadata
  return pathOf(resource, resource.namespaced ? { name, namespace: object.metadata.namespace ?? namespace } : { name })
}

const PATH = /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/[^/]+)?\/([^/]+)(?:\/([^/]+))?(?:\/status)?$/

function addressed(path: string): {
  readonly resource: ResourceType<KubernetesObject>
  readonly name: string | undefined
} {
  const [, group = '', version, plural, name] = PATH.exec(path) ?? []
  const resource = KINDS.find((one) => one.group === group && one.version === version && one.plural === plural)
  if (resource === undefined) throw new Error(`No kind is served at ${path}.`)
  return { resource, name }
}

function merged(before: object, patch: object): object {
  return Object.fromEntries(Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null))
}

function failure(code: number, message: string): Record<string, unknown> {
  const reason = code === 404 ? 'NotFound' : 'InternalError'
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }
}

function answer(status: number, body: unknown): Awaited<ReturnType<Transport['request']>> {
  const none = (async function* () {})()
  return {
    status,
    headers: {},
    json: async () => structuredClone(body),
    text: async () => JSON.stringify(body),
    chunks: () => none,
    events: () => none,
  }
}
