import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import {
  Attach,
  BatchV1Api,
  CoreV1Api,
  CustomObjectsApi,
  Exec,
  KubeConfig,
  KubernetesObjectApi,
  Log,
  makeInformer,
  PatchStrategy,
  PortForward,
  setHeaderOptions,
  type V1ConfigMap,
  type V1Status,
  VersionApi,
  Watch,
} from '@kubernetes/client-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedCluster, serveCluster } from '../kubectl/served-cluster.ts'

const namespace = 'default'
const TRAIN_JOBS = { group: 'trainer.kubeflow.org', version: 'v1alpha1', namespace, plural: 'trainjobs' } as const

describe('client-node', () => {
  let cluster: ServedCluster
  let config: KubeConfig
  let core: CoreV1Api
  beforeAll(async () => {
    cluster = await serveCluster()
    config = new KubeConfig()
    config.loadFromFile(cluster.kubeconfig)
    core = config.makeApiClient(CoreV1Api)
  })
  afterAll(() => cluster?.close())

  it('reads and writes through typed clients', async () => {
    const made = await core.createNamespacedConfigMap({
      namespace,
      body: { metadata: { name: 'm' }, data: { a: '1' } },
    })
    expect(made.metadata?.uid).toEqual(expect.any(String))
    expect(made.metadata?.creationTimestamp).toBeInstanceOf(Date)
    const patched = await core.patchNamespacedConfigMap(
      { namespace, name: 'm', body: { data: { b: '2' } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    )
    expect(patched.data).toEqual({ a: '1', b: '2' })
    const applied = await core.patchNamespacedConfigMap(
      {
        namespace,
        name: 'm',
        fieldManager: 'me',
        force: true,
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { c: '3' } },
      },
      setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply),
    )
    expect(applied.data).toEqual({ a: '1', b: '2', c: '3' })
    // without a header the body is taken for a JSON patch
    await expect(core.patchNamespacedConfigMap({ namespace, name: 'm', body: { data: {} } })).rejects.toMatchObject({
      code: 400,
    })
    const replaced = await core.replaceNamespacedConfigMap({ namespace, name: 'm', body: { ...made, data: {} } }).then(
      () => 'replaced',
      (error: { code: number }) => error.code,
    )
    expect(replaced).toBe(409)
    const { items } = await core.listNamespacedConfigMap({ namespace, limit: 1 })
    expect(items.map((item) => item.metadata?.name)).toEqual(['m'])
    expect((await core.deleteNamespacedConfigMap({ namespace, name: 'm' })).status).toBe('Success')
    expect((await config.makeApiClient(VersionApi).getCode()).gitVersion).toMatch(/^v1\.36\./)
  })

  it('reads and writes custom objects', async () => {
    const custom = config.makeApiClient(CustomObjectsApi)
    const body = {
      apiVersion: 'trainer.kubeflow.org/v1alpha1',
      kind: 'TrainJob',
      metadata: { name: 'held' },
      spec: { runtimeRef: { name: 'plain' }, suspend: true },
    }
    expect(await custom.createNamespacedCustomObject({ ...TRAIN_JOBS, body })).toMatchObject({
      metadata: { generation: 1 },
    })
    const objects = KubernetesObjectApi.makeApiClient(config)
    expect(await objects.read({ ...body, metadata: { name: 'held', namespace } })).toMatchObject({
      spec: { suspend: true },
    })
    await custom.deleteNamespacedCustomObject({ ...TRAIN_JOBS, name: 'held' })
    await expect(custom.getNamespacedCustomObject({ ...TRAIN_JOBS, name: 'nope' })).rejects.toMatchObject({ code: 404 })
  })

  it('watches and keeps an informer', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`
    const seen: string[] = []
    const aborted = await new Watch(config).watch(
      path,
      {},
      (type, object: V1ConfigMap) => seen.push(`${type} ${object.metadata?.name}`),
      () => {},
    )
    const informer = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace }))
    const added: (string | undefined)[] = []
    informer.on('add', (object: V1ConfigMap) => added.push(object.metadata?.name))
    await informer.start()
    try {
      await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'seen' } } })
      await core.deleteNamespacedConfigMap({ namespace, name: 'seen' })
      await expect.poll(() => seen).toEqual(['ADDED seen', 'DELETED seen'])
      await expect.poll(() => added).toEqual(['seen'])
    } finally {
      aborted.abort()
      await informer.stop()
    }
  })

  it('runs a job, reads its log and runs commands in its pod', async () => {
    await config.makeApiClient(BatchV1Api).createNamespacedJob({
      namespace,
      body: {
        metadata: { name: 'j' },
        spec: {
          template: {
            spec: {
              restartPolicy: 'Never',
              containers: [{ name: 'c', image: 'none', command: ['sh', '-c', 'echo started; sleep 300'] }],
            },
          },
        },
      },
    })
    const pod = async () => (await core.listNamespacedPod({ namespace, labelSelector: 'job-name=j' })).items[0]
    await expect.poll(async () => (await pod())?.status?.phase, { timeout: 30_000 }).toBe('Running')
    const name = (await pod())?.metadata?.name ?? ''

    await expect.poll(() => core.readNamespacedPodLog({ namespace, name }), { timeout: 10_000 }).toBe('started\n')
    expect(await execute(name, ['sh', '-c', 'cat; echo err >&2; exit 5'], 'fed')).toMatchObject({
      stdout: 'fed',
      stderr: 'err\n',
      status: { status: 'Failure', reason: 'NonZeroExitCode', details: { causes: [{ message: '5' }] } },
    })
    expect(await execute(name, ['true'])).toMatchObject({ status: { status: 'Success' } })
  })

  it('attaches to containers and forwards ports', async () => {
    const server = `require('node:net').createServer((s) => s.on('data', (d) => s.write('got ' + d))).listen(8322, process.env.IP)
      process.stdin.on('data', (d) => console.log('read ' + d))`
    await core.createNamespacedPod({
      namespace,
      body: {
        metadata: { name: 'server' },
        spec: {
          restartPolicy: 'Never',
          terminationGracePeriodSeconds: 1,
          containers: [
            {
              name: 'c',
              image: 'none',
              command: [process.execPath, '-e', server],
              stdin: true,
              env: [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
              readinessProbe: { tcpSocket: { port: 8322 }, periodSeconds: 1 },
            },
          ],
        },
      },
    })
    await expect
      .poll(async () => (await core.readNamespacedPod({ namespace, name: 'server' })).status?.conditions)
      .toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }))

    const shown = new PassThrough()
    const typed = new PassThrough()
    const view = await new Attach(config).attach(namespace, 'server', 'c', shown, null, typed, false)
    typed.write('a line')
    expect(await firstOf(shown)).toBe('read a line\n')
    view.close()

    const [there, back] = [new PassThrough(), new PassThrough()]
    const forward = await new PortForward(config).portForward(namespace, 'server', [8322], back, null, there)
    there.write('ping')
    expect(await firstOf(back)).toBe('got ping')
    if (typeof forward !== 'function') forward.close()
  })

  it('follows a log to its end', async () => {
    const command = ['sh', '-c', 'echo first; sleep 1; echo last']
    const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'none', command }] }
    await core.createNamespacedPod({ namespace, body: { metadata: { name: 'short' }, spec } })
    const phase = async () => (await core.readNamespacedPod({ namespace, name: 'short' })).status?.phase
    await expect.poll(phase, { timeout: 30_000 }).toMatch(/Running|Succeeded/)
    const log = new PassThrough()
    const text = textOf(log)
    await new Log(config).log(namespace, 'short', 'c', log, { follow: true })
    expect(await text).toBe('first\nlast\n')
  })

  async function execute(name: string, command: string[], input?: string) {
    const stdout = new PassThrough()
    const stderr = new PassThrough()
    const texts = Promise.all([stdout, stderr].map(textOf))
    const stdin = input === undefined ? null : new PassThrough()
    stdin?.end(input)
    const status = await new Promise<V1Status>((resolve, reject) => {
      new Exec(config).exec(namespace, name, 'c', command, stdout, stderr, stdin, false, resolve).catch(reject)
    })
    stdout.end()
    stderr.end()
    const [out, err] = await texts
    return { stdout: out, stderr: err, status }
  }
})

async function firstOf(stream: PassThrough): Promise<string> {
  const [chunk] = await once(stream, 'data')
  return String(chunk)
}

async function textOf(stream: PassThrough): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}
