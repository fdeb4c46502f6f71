import { type JobSet, JobSets, type TrainJob, TrainJobs } from '@trainjob/api'
import {
  createTrainJobController,
  runtimeAdmission,
  type TrainJobControllerOptions,
  trainJobAdmission,
} from '@trainjob/controller'
import { type Client, createClient, type Transport, type TransportRequest } from '@trainjob/kube'
import { type FakeClock, fakeClock } from '@trainjob/kube/testing'
import { createAdmission, createApiServer, createMemoryStore, RESOURCES, randomIds } from '@trainjob/local'
import { onTestFinished } from 'vitest'

/** The TrainJob controller alone on an API server: the test plays JobSet, the runtimes' author and fate. */
export interface ControllerHarness {
  /** Its requests do not fail. */
  readonly client: Client
  readonly clock: FakeClock
  /** Requests of the controller that match are answered with this status, so many times. */
  fail(times: number, status: number, match: (request: TransportRequest) => boolean, message?: string): void
  /** Requests of the controller so far, as `METHOD path`. */
  readonly requests: readonly string[]
  /** Lets everything that is due happen. */
  settle(): Promise<void>
  trainJob(name: string): Promise<TrainJob>
  jobSet(name: string): Promise<JobSet | undefined>
  /** Writes a JobSet's status. */
  report(name: string, status: JobSet['status']): Promise<void>
}

export async function controllerHarness(
  options: Partial<Pick<TrainJobControllerOptions, 'compat'>> = {},
): Promise<ControllerHarness> {
  const clock = fakeClock()
  const admission = createAdmission()
  const server = createApiServer({
    store: createMemoryStore(),
    resources: RESOURCES,
    admission,
    clock,
    ids: randomIds,
    logs: { open: async function* () {} },
  })
  const client = createClient(server.transport)
  for (const hook of [trainJobAdmission({ reader: client, clock, ...options }), ...runtimeAdmission(options)]) {
    admission.add(hook)
  }
  const namespaces = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false }
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } })

  const faults: { times: number; status: number; message: string; match: (request: TransportRequest) => boolean }[] = []
  const requests: string[] = []
  const faulty: Transport = {
    async request(request) {
      requests.push(`${request.method} ${request.path}`)
      const fault = faults.find((one) => one.times > 0 && one.match(request))
      if (fault === undefined) return server.transport.request(request)
      fault.times--
      const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: fault.status, message: fault.message }
      const none = (async function* () {})()
      const text = async () => JSON.stringify(body)
      return { status: fault.status, headers: {}, json: async () => body, text, chunks: () => none, events: () => none }
    },
    close: async () => {},
  }
  const stop = new AbortController()
  const stopped = createTrainJobController({ client: createClient(faulty), clock, ...options }).start(stop.signal)
  onTestFinished(async () => {
    stop.abort()
    await stopped
  })

  const keyOf = (name: string) => ({ namespace: 'default', name })
  const harness: ControllerHarness = {
    client,
    clock,
    requests,
    fail: (times, status, match, message = 'the test says no') => void faults.push({ times, status, match, message }),
    async settle() {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    },
    trainJob: (name) => client.get(TrainJobs, keyOf(name)),
    async jobSet(name) {
      const { items } = await client.list(JobSets, { namespace: 'default' })
      return items.find((one) => one.metadata.name === name)
    },
    async report(name, status) {
      await client.patch(JobSets, keyOf(name), { type: 'merge', body: { status } }, { subresource: 'status' })
      await harness.settle()
    },
  }
  await harness.settle()
  return harness
}
