import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigMaps, type Job, Jobs, type Pod, Pods } from '@trainjob/api'
import { type Client, createClient, httpTransport } from '@trainjob/kube'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PersistentVolumeClaims } from '../jobset/volume-claims.ts'
import { unlessGone } from '../unless-gone.ts'
import { down } from './down.ts'
import { isLocked } from './lock.ts'
import { serverFiles } from './server-files.ts'
import { type UpResult, up } from './up.ts'

let dataDir: string
const clients: Client[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tj-'))
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await down({ dataDir, graceMs: 3_000 })
  await rm(dataDir, { recursive: true, force: true })
})

async function start(): Promise<{ server: UpResult; client: Client }> {
  const server = await up({ dataDir, workspace: dataDir })
  const { clusters, users } = JSON.parse(await readFile(server.kubeconfig, 'utf8'))
  const ca = Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString()
  const client = createClient(httpTransport({ server: server.url, ca, token: users[0].user.token }))
  clients.push(client)
  return { server, client }
}

async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  const { lock } = serverFiles({ dataDir })
  while (await isLocked(lock)) await new Promise((done) => setTimeout(done, 10))
}

/** A Job whose first attempt saves a file in its claim and then waits for ever, and whose next one ends well. */
function job(name: string, restartPolicy: 'OnFailure' | 'Never'): Job {
  const script =
    'if [ -e $DIR/saved ]; then echo resumed; else echo saved > $DIR/saved; echo saved; exec sleep 1000; fi'
  const volumeMounts = [{ name: 'data', mountPath: '/data' }]
  const command = ['sh', '-c', script]
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace: 'default', name },
    spec: {
      ...(restartPolicy === 'Never' && { backoffLimit: 0 }),
      template: {
        spec: {
          restartPolicy,
          containers: [{ name: 'node', image: 'any', command, volumeMounts, env: [{ name: 'DIR', value: '/data' }] }],
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name } }],
        },
      },
    },
  } as Job
}

async function submit(client: Client, wanted: Job): Promise<void> {
  const { namespace, name = '' } = wanted.metadata
  await client.create(PersistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { namespace, name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  } as never)
  await client.create(Jobs, wanted)
}

async function podOf(client: Client, name: string, wanted: (pod: Pod) => boolean): Promise<Pod> {
  const scope = { namespace: 'default', labelSelector: `job-name=${name}` }
  for await (const event of client.watch(Pods, { ...scope, resourceVersion: '0' })) {
    if (event.type !== 'BOOKMARK' && event.type !== 'DELETED' && wanted(event.object)) return event.object
  }
  throw new Error('the watch ended')
}

async function conditionOf(client: Client, name: string): Promise<object | undefined> {
  const scope = { namespace: 'default', fieldSelector: `metadata.name=${name}`, resourceVersion: '0' }
  for await (const event of client.watch(Jobs, scope)) {
    if (event.type === 'BOOKMARK') continue
    const found = event.object.status?.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed')
    if (found !== undefined) return found
  }
  return undefined
}

const isRunning = (pod: Pod) => pod.status?.containerStatuses?.[0]?.state?.running !== undefined
const isOver = (phase: string) => (pod: Pod) => pod.status?.phase === phase

async function logOf(client: Client, pod: Pod): Promise<string> {
  let text = ''
  const { namespace, name = '' } = pod.metadata
  for await (const chunk of client.logs({ ...(namespace !== undefined && { namespace }), name })) {
    text += Buffer.from(chunk).toString()
  }
  return text
}

async function untilLog(client: Client, pod: Pod, text: string): Promise<void> {
  while (!(await logOf(client, pod)).includes(text)) await new Promise((done) => setTimeout(done, 20))
}

describe('a background cluster that is killed', { timeout: 60_000 }, () => {
  it('has every write that was answered, and everything that a watcher saw', async () => {
    const { server, client } = await start()
    const acknowledged: string[] = []
    const seen: string[] = []
    const watching = (async () => {
      for await (const event of client.watch(ConfigMaps, { namespace: 'default', resourceVersion: '0' })) {
        if (event.type === 'ADDED') seen.push(event.object.metadata.name ?? '')
      }
    })().catch(() => {})
    const writing = [0, 1, 2, 3].map(async (writer) => {
      for (let count = 0; ; count++) {
        const name = `w${writer}-${count}`
        await client.create(ConfigMaps, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { namespace: 'default', name },
        })
        acknowledged.push(name)
      }
    })
    const written = Promise.allSettled(writing)
    while (acknowledged.length < 150 || seen.length < 150) await new Promise((done) => setTimeout(done, 5))
    await kill(server.pid)
    await Promise.all([watching, written])

    const again = await start()
    const { items } = await again.client.list(ConfigMaps, { namespace: 'default' })
    const names = new Set(items.map(({ metadata }) => metadata.name ?? ''))
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([])
    expect(seen.filter((name) => !names.has(name))).toEqual([])
    // beyond these only what was under way
    expect(items.length - acknowledged.length).toBeLessThanOrEqual(4)
  })

  it('finds its containers dead: what may restart goes on in its pod with its claim, what may not has failed', async () => {
    const first = await start()
    await submit(first.client, job('again', 'OnFailure'))
    await submit(first.client, job('anew', 'Never'))
    const before = [await podOf(first.client, 'again', isRunning), await podOf(first.client, 'anew', isRunning)]
    for (const pod of before) await untilLog(first.client, pod, 'saved')
    await kill(first.server.pid)

    const { client } = await start()
    const again = await podOf(client, 'again', isOver('Succeeded'))
    expect(again.metadata.uid).toBe(before[0]?.metadata.uid)
    expect(again.status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 1,
      lastState: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } },
    })
    expect(await logOf(client, again)).toBe('resumed\n')

    const failed = await podOf(client, 'anew', isOver('Failed'))
    expect(failed.metadata.uid).toBe(before[1]?.metadata.uid)
    expect(failed.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 137,
      message: 'the engine stopped while the container ran',
    })
    // its log outlived the server
    expect(await logOf(client, failed)).toBe('saved\n')
    expect(await conditionOf(client, 'anew')).toMatchObject({ type: 'Failed', reason: 'BackoffLimitExceeded' })
  })
})

describe('a background cluster that is stopped', { timeout: 60_000 }, () => {
  it('goes on with its jobs when it is started again, and does not take an obedient end for success', async () => {
    const first = await start()
    const wanted = job('polite', 'OnFailure')
    const [container] = wanted.spec.template.spec?.containers ?? []
    if (container !== undefined) {
      container.command = [
        'sh',
        '-c',
        'if [ -e $DIR/saved ]; then echo resumed; exit 0; fi; trap "echo saved > $DIR/saved; exit 0" TERM; echo ready; while :; do sleep 0.01; done',
      ]
    }
    await submit(first.client, wanted)
    await untilLog(first.client, await podOf(first.client, 'polite', isRunning), 'ready')
    await down({ dataDir })

    const { client } = await start()
    const pod = await podOf(client, 'polite', isOver('Succeeded'))
    expect(pod.status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 1,
      lastState: { terminated: { exitCode: 143, reason: 'Error' } },
    })
    expect(await logOf(client, pod)).toBe('resumed\n')
  })

  it('keeps no files of pods that are gone', async () => {
    const first = await start()
    await submit(first.client, job('gone', 'OnFailure'))
    const pod = await podOf(first.client, 'gone', isRunning)
    const { run } = serverFiles({ dataDir })
    const log = () => readFile(join(run, 'pods', pod.metadata.uid ?? '', 'logs', 'node', '0.log'), 'utf8')
    await untilLog(first.client, pod, 'saved')
    await first.client.delete(Jobs, { namespace: 'default', name: 'gone' }, { propagationPolicy: 'Background' })
    const name = pod.metadata.name ?? ''
    // the garbage collector does the same, but with the pod's own patience
    await unlessGone(first.client.delete(Pods, { namespace: 'default', name }, { gracePeriodSeconds: 0 }))
    await down({ dataDir })
    // as if it had been killed while it removed them
    await mkdir(join(run, 'pods', 'gone'), { recursive: true })
    const { client } = await start()
    expect((await client.list(Pods, { namespace: 'default' })).items).toEqual([])
    await expect(log()).rejects.toThrow(/ENOENT/)
    expect(await readdir(join(run, 'pods'))).toEqual([])
    expect(await readFile(join(run, 'claims', 'default', 'gone', 'saved'), 'utf8')).toBe('saved\n')
  })
})
