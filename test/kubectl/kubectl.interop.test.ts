import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltControlPlane, buildControlPlane } from '../control-plane/build.ts'
import { type Kubectl, kubectlOf } from './kubectl.ts'
import { type ServedCluster, serveCluster } from './served-cluster.ts'

const built = await buildControlPlane()
if ('missing' in built) process.stderr.write(`NOT RUN: kubectl on the embedded cluster. ${built.missing}\n`)

/** A TrainJob of `nodes` nodes that run a shell command. */
function trainJob(name: string, command: string, more: { nodes?: number; labels?: object; spec?: object } = {}) {
  const { nodes = 1, labels = {}, spec = {} } = more
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name, labels },
    spec: { runtimeRef: { name: 'plain' }, trainer: { numNodes: nodes, command: ['sh', '-c', command] }, ...spec },
  }
}

/** A TrainJob that only lies there. */
function held(name: string, labels: object = {}) {
  return trainJob(name, 'true', { labels, spec: { suspend: true } })
}

function pod(name: string, containers: Readonly<Record<string, string>>, spec: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { pod: name } },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 1,
      containers: Object.entries(containers).map(([container, command]) => ({
        name: container,
        image: 'none',
        command: ['sh', '-c', command],
      })),
      ...spec,
    },
  }
}

function configMap(name: string, data: object, labels: object = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data }
}

describe.skipIf('missing' in built)('kubectl', () => {
  let cluster: ServedCluster
  let bin: string
  beforeAll(async () => {
    bin = (built as BuiltControlPlane).bin
    cluster = await serveCluster()
  })
  afterAll(() => cluster?.close())

  /** kubectl in a namespace of its own. */
  async function inNamespace(name: string): Promise<Kubectl> {
    const kubectl = kubectlOf(bin, cluster, name)
    await kubectl('create', 'namespace', name)
    return kubectl
  }

  describe('get', () => {
    let kubectl: Kubectl
    beforeAll(async () => {
      kubectl = await inNamespace('get')
      await kubectl.send(['apply'], held('a', { app: 'x' }))
      await kubectl.send(['apply'], held('b', { app: 'y' }))
      await kubectl('wait', '--for=condition=Suspended', 'trainjob/a', 'trainjob/b', '--timeout=20s')
    })

    it('prints a table', async () => {
      const [heading, ...rows] = await kubectl.rows('get', 'trainjobs')
      expect(heading).toBe('NAME STATE AGE')
      expect(rows).toEqual([expect.stringMatching(/^a Suspended \d+s$/), expect.stringMatching(/^b Suspended \d+s$/)])
    })

    it('prints a wide table, labels, and all namespaces', async () => {
      expect(await kubectl.rows('get', 'jobset', '-o', 'wide')).toEqual([
        'NAME TERMINALSTATE RESTARTS COMPLETED SUSPENDED AGE',
        expect.stringMatching(/^a 0 true \d+s$/),
        expect.stringMatching(/^b 0 true \d+s$/),
      ])
      expect((await kubectl.rows('get', 'jobs', '-o', 'wide'))[0]).toBe(
        'NAME STATUS COMPLETIONS DURATION AGE CONTAINERS IMAGES SELECTOR',
      )
      expect((await kubectl.rows('get', 'trainjobs', '--show-labels', '-L', 'app'))[1]).toMatch(/ x app=x$/)
      expect(await kubectl.rows('get', 'trainjobs', '-A')).toContainEqual(expect.stringMatching(/^get a Suspended/))
    })

    it('prints the object in every other form', async () => {
      expect(JSON.parse(await kubectl('get', 'trainjob', 'a', '-o', 'json'))).toMatchObject({
        apiVersion: 'trainer.kubeflow.org/v1alpha1',
        kind: 'TrainJob',
        metadata: { name: 'a', namespace: 'get', uid: expect.any(String) },
      })
      expect(await kubectl('get', 'trainjob', 'a', '-o', 'yaml')).toContain('kind: TrainJob\nmetadata:\n')
      expect(await kubectl('get', 'trainjob', 'a', '-o', 'jsonpath={.spec.runtimeRef.name}')).toBe('plain')
      expect(await kubectl('get', 'trainjobs', '-o', 'name')).toBe(
        'trainjob.trainer.kubeflow.org/a\ntrainjob.trainer.kubeflow.org/b\n',
      )
      expect(await kubectl.rows('get', 'trainjobs', '-o', 'custom-columns=N:.metadata.name,S:.spec.suspend')).toEqual([
        'N S',
        'a true',
        'b true',
      ])
    })

    it('selects, sorts and reads in pages', async () => {
      expect(await kubectl.rows('get', 'trainjobs', '-l', 'app in (y, z)', '--no-headers')).toHaveLength(1)
      expect(
        await kubectl.rows('get', 'trainjobs', '--field-selector', 'metadata.name=a', '--no-headers'),
      ).toHaveLength(1)
      expect(await kubectl.rows('get', 'trainjobs', '--chunk-size=1', '--no-headers')).toHaveLength(2)
      const sorted = await kubectl.rows('get', 'trainjobs', '--sort-by=.metadata.labels.app', '-o', 'name')
      expect(sorted).toHaveLength(2)
    })

    it('follows changes', async () => {
      const wanted = /^seen +1 .*\nseen +2 /m
      let ended = false
      const watching = kubectl
        .run(['get', 'configmaps', '-w', '--no-headers'], { until: (text) => wanted.test(text) })
        .finally(() => {
          ended = true
        })
      // whenever the watch opens, there are changes to come
      for (let turn = 0; !ended; turn++) {
        await kubectl.send(['apply'], configMap('seen', turn % 2 === 0 ? { a: '1' } : { a: '1', b: '2' }))
      }
      expect((await watching).stdout).toMatch(wanted)
    })

    it('says what is not there', async () => {
      expect((await kubectl.fails('get', 'trainjob', 'nope')).stderr).toBe(
        'Error from server (NotFound): trainjobs.trainer.kubeflow.org "nope" not found\n',
      )
      expect((await kubectl.fails('get', 'deployments')).stderr).toBe(
        'error: the server doesn\'t have a resource type "deployments"\n',
      )
      expect((await kubectl.fails('get', 'pods', '--field-selector', 'spec.x=1')).stderr).toContain(
        'field label not supported: spec.x',
      )
      expect((await kubectl.run(['get', 'pods'])).stderr).toBe('No resources found in get namespace.\n')
    })
  })

  describe('apply', () => {
    let kubectl: Kubectl
    beforeAll(async () => {
      kubectl = await inNamespace('apply')
    })

    it('creates, leaves alone and changes', async () => {
      const job = held('a', { app: 'x' })
      expect(await kubectl.send(['apply'], job)).toBe('trainjob.trainer.kubeflow.org/a created\n')
      expect(await kubectl.send(['apply'], job)).toBe('trainjob.trainer.kubeflow.org/a unchanged\n')
      expect(await kubectl.send(['apply'], held('a', { app: 'z' }))).toBe(
        'trainjob.trainer.kubeflow.org/a configured\n',
      )
      expect(await kubectl('get', 'trainjob', 'a', '-o', 'jsonpath={.metadata.labels}')).toBe('{"app":"z"}')
      const map = configMap('m', { a: '1', b: '2' })
      expect(await kubectl.send(['apply'], map)).toBe('configmap/m created\n')
      expect(await kubectl.send(['apply'], configMap('m', { a: '1' }))).toBe('configmap/m configured\n')
      expect(await kubectl('get', 'cm', 'm', '-o', 'jsonpath={.data}')).toBe('{"a":"1"}')
    })

    it('on the server: owners, conflicts, force', async () => {
      const job = held('ssa', { app: 'x' })
      expect(await kubectl.send(['apply', '--server-side'], job)).toContain('serverside-applied')
      await kubectl('label', 'trainjob', 'ssa', 'app=mine', '--overwrite')
      const conflict = await kubectl.run(['apply', '--server-side', '-f', '-'], { input: JSON.stringify(job) })
      expect(conflict).toMatchObject({ code: 1 })
      expect(conflict.stderr).toContain(
        'Apply failed with 1 conflict: conflict with "kubectl-label" using trainer.kubeflow.org/v1alpha1: .metadata.labels.app',
      )
      expect(await kubectl.send(['apply', '--server-side', '--force-conflicts'], job)).toContain('serverside-applied')
      expect(await kubectl('get', 'trainjob', 'ssa', '-o', 'jsonpath={.metadata.labels.app}')).toBe('x')
      await kubectl.send(['apply', '--server-side'], held('ssa'))
      expect(await kubectl('get', 'trainjob', 'ssa', '-o', 'jsonpath={.metadata.labels}')).toBe('')
    })

    it('on the server takes over what the client applied', async () => {
      const job = held('moved', { app: 'x' })
      await kubectl.send(['apply'], job)
      expect(await kubectl.send(['apply', '--server-side'], job)).toContain('serverside-applied')
      const managers = await kubectl(
        'get',
        'trainjob',
        'moved',
        '--show-managed-fields',
        '-o',
        'jsonpath={.metadata.managedFields[*].manager}',
      )
      expect(managers.split(' ')).not.toContain('kubectl-client-side-apply')
      await kubectl.send(['apply', '--server-side'], held('moved'))
      expect(await kubectl('get', 'trainjob', 'moved', '-o', 'jsonpath={.metadata.labels}')).toBe('')
    })

    it('checks fields as strictly as it is told', async () => {
      const job = { ...held('strict'), spec: { ...held('x').spec, zip: 1 } }
      const input = JSON.stringify(job)
      const strict = await kubectl.run(['apply', '-f', '-'], { input })
      expect(strict.code).toBe(1)
      expect(strict.stderr).toContain('strict decoding error: unknown field "spec.zip"')
      const warned = await kubectl.run(['apply', '--validate=warn', '-f', '-'], { input })
      expect(warned.stderr).toContain('Warning: unknown field "spec.zip"')
      expect(warned.stdout).toContain('created')
      expect((await kubectl.run(['apply', '--validate=ignore', '-f', '-'], { input })).stderr).toBe('')
      const wrong = { ...held('wrong'), spec: { runtimeRef: { name: 'plain' }, trainer: { numNodes: 'two' } } }
      const refused = await kubectl.run(['apply', '-f', '-'], { input: JSON.stringify(wrong) })
      expect(refused.stderr).toContain('The TrainJob "wrong" is invalid: spec.trainer.numNodes')
    })

    it('tries without storing', async () => {
      expect(await kubectl.send(['apply', '--dry-run=server'], held('tried'))).toContain('created (server dry run)')
      expect(await kubectl.send(['apply', '--dry-run=client'], held('tried'))).toContain('created (dry run)')
      expect((await kubectl.fails('get', 'trainjob', 'tried')).stderr).toContain('not found')
    })

    it('shows the difference beforehand', async () => {
      await kubectl.send(['apply'], held('diff', { app: 'x' }))
      expect((await kubectl.run(['diff', '-f', '-'], { input: JSON.stringify(held('diff', { app: 'x' })) })).code).toBe(
        0,
      )
      for (const how of [[], ['--server-side', '--force-conflicts']]) {
        const { code, stdout } = await kubectl.run(['diff', ...how, '-f', '-'], {
          input: JSON.stringify(held('diff', { app: 'z' })),
        })
        expect(code).toBe(1)
        expect(stdout).toMatch(/^- +app: x$/m)
        expect(stdout).toMatch(/^\+ +app: z$/m)
      }
      expect(await kubectl('get', 'trainjob', 'diff', '-o', 'jsonpath={.metadata.labels.app}')).toBe('x')
    })
  })

  describe('changes', () => {
    let kubectl: Kubectl
    beforeAll(async () => {
      kubectl = await inNamespace('change')
      await kubectl.send(['create'], held('a', { app: 'x' }))
      await kubectl.send(['create'], configMap('m', { a: '1' }))
    })

    it('by patches of every type', async () => {
      const patched = (type: string, patch: unknown, target = ['trainjob', 'a']) =>
        kubectl('patch', ...target, '--type', type, '-p', JSON.stringify(patch))
      expect(await patched('merge', { metadata: { labels: { m: '1' } } })).toBe(
        'trainjob.trainer.kubeflow.org/a patched\n',
      )
      expect(await patched('merge', { metadata: { labels: { m: '1' } } })).toContain('patched (no change)')
      await patched('json', [{ op: 'add', path: '/metadata/labels/j', value: '2' }])
      await patched('strategic', { data: { s: '3' } }, ['configmap', 'm'])
      expect(await kubectl('get', 'trainjob', 'a', '-o', 'jsonpath={.metadata.labels}')).toBe(
        '{"app":"x","j":"2","m":"1"}',
      )
      expect(await kubectl('get', 'cm', 'm', '-o', 'jsonpath={.data}')).toBe('{"a":"1","s":"3"}')
      expect((await kubectl.fails('patch', 'trainjob', 'a', '--type', 'strategic', '-p', '{}')).stderr).toContain(
        'application/json-patch+json, application/merge-patch+json',
      )
      expect(
        (await kubectl.fails('patch', 'trainjob', 'a', '--type', 'json', '-p', '[{"op":"remove","path":"/no/such"}]'))
          .stderr,
      ).toContain('the server rejected our request due to an error in our request')
      const status = { status: { conditions: [] } }
      await kubectl(
        'patch',
        'trainjob',
        'a',
        '--subresource',
        'status',
        '--type',
        'merge',
        '-p',
        JSON.stringify(status),
      )
    })

    it('by labels and annotations, which can be removed again', async () => {
      expect(await kubectl('label', 'trainjob', 'a', 'k=v')).toContain('labeled')
      expect((await kubectl.fails('label', 'trainjob', 'a', 'k=w')).stderr).toContain('--overwrite is false')
      expect(await kubectl('label', 'trainjob', 'a', 'k-')).toContain('unlabeled')
      expect(await kubectl('annotate', 'trainjobs', '--all', 'note=here')).toContain('annotated')
      expect(await kubectl('get', 'trainjob', 'a', '-o', 'jsonpath={.metadata.annotations.note}')).toBe('here')
    })

    it('by an editor', async () => {
      const env = { KUBE_EDITOR: `sed -i 's/note: here/note: edited/'` }
      expect((await kubectl.run(['edit', 'trainjob', 'a'], { env })).stdout).toContain('edited')
      expect(await kubectl('get', 'trainjob', 'a', '-o', 'jsonpath={.metadata.annotations.note}')).toBe('edited')
      expect((await kubectl.run(['edit', 'trainjob', 'a'], { env: { KUBE_EDITOR: 'true' } })).stderr).toContain(
        'no changes made',
      )
    })

    it('by replacing, but not what has changed meanwhile', async () => {
      const old = await kubectl('get', 'cm', 'm', '-o', 'json')
      await kubectl('label', 'cm', 'm', 'newer=yes')
      const { code, stderr } = await kubectl.run(['replace', '-f', '-'], { input: old })
      expect(code).toBe(1)
      expect(stderr).toContain('the object has been modified; please apply your changes to the latest version')
      expect(await kubectl.send(['replace'], configMap('m', { only: 'this' }))).toBe('configmap/m replaced\n')
      expect(await kubectl('get', 'cm', 'm', '-o', 'jsonpath={.data}{.metadata.labels}')).toBe('{"only":"this"}')
    })

    it('of the scale, where a kind has one', async () => {
      await kubectl('create', 'job', 'scaled', '--image=none', '--', 'sleep', '60')
      expect(await kubectl('scale', 'job', 'scaled', '--replicas=2')).toBe('job.batch/scaled scaled\n')
      expect(await kubectl('get', 'job', 'scaled', '-o', 'jsonpath={.spec.parallelism}')).toBe('2')
      expect((await kubectl.fails('scale', 'trainjob', 'a', '--replicas=2')).stderr).toBe(
        'Error from server (NotFound): the server could not find the requested resource\n',
      )
      await kubectl('delete', 'job', 'scaled')
    })

    it('are refused where a field cannot change', async () => {
      expect(
        (await kubectl.fails('patch', 'trainjob', 'a', '--type', 'merge', '-p', '{"spec":{"trainer":{"numNodes":7}}}'))
          .stderr,
      ).toContain('field is immutable')
    })
  })

  describe('create', () => {
    it('writes what it knows as protobuf', async () => {
      const kubectl = await inNamespace('create')
      expect(await kubectl('create', 'configmap', 'm', '--from-literal=a=b')).toBe('configmap/m created\n')
      expect(await kubectl('create', 'secret', 'generic', 's', '--from-literal=p=q')).toBe('secret/s created\n')
      expect(await kubectl('get', 'secret', 's', '-o', 'jsonpath={.data.p}')).toBe('cQ==')
      expect(await kubectl('create', 'serviceaccount', 'bob')).toBe('serviceaccount/bob created\n')
      expect(await kubectl('create', 'job', 'j', '--image=none', '--', 'echo', 'hi')).toBe('job.batch/j created\n')
      expect(await kubectl('wait', '--for=condition=Complete', 'job/j', '--timeout=30s')).toContain('condition met')
      expect(await kubectl('logs', 'job/j')).toBe('hi\n')
      expect(await kubectl('run', 'r', '--image=none', '--restart=Never', '--command', '--', 'true')).toBe(
        'pod/r created\n',
      )
      expect((await kubectl.fails('create', 'configmap', 'm')).stderr).toBe(
        'error: failed to create configmap: configmaps "m" already exists\n',
      )
      expect((await kubectl.fails('create', 'deployment', 'd', '--image=x')).stderr).toContain(
        'the server could not find the requested resource',
      )
    })
  })

  describe('pods', () => {
    let kubectl: Kubectl
    beforeAll(async () => {
      kubectl = await inNamespace('pods')
      await kubectl.send(
        ['apply'],
        pod('two', { a: 'for i in 1 2 3; do echo a$i; done; sleep 100', b: 'echo b1; sleep 100' }),
      )
      await kubectl.send(
        ['apply'],
        pod('again', { c: 'echo once; test -e done && sleep 100; touch done; exit 1' }, { restartPolicy: 'Always' }),
      )
      await kubectl('wait', '--for=condition=Ready', 'pod/two', '--timeout=30s')
    })

    it('show what they printed', async () => {
      // a container that runs need not have printed yet
      await expect.poll(() => kubectl('logs', 'two', '-c', 'a'), { timeout: 20_000 }).toBe('a1\na2\na3\n')
      await expect.poll(() => kubectl('logs', 'two', '-c', 'b'), { timeout: 20_000 }).toBe('b1\n')
      expect(await kubectl('logs', 'two', '-c', 'a', '--tail=1', '--since=10m')).toBe('a3\n')
      expect(await kubectl('logs', 'two', '-c', 'a', '--timestamps', '--tail=1')).toMatch(/^\d{4}-\S+Z a3\n$/)
      const all = await kubectl('logs', 'two', '--all-containers', '--prefix')
      expect(all.split('\n')).toEqual(expect.arrayContaining(['[pod/two/a] a1', '[pod/two/b] b1']))
      // in any order
      const last = await kubectl('logs', '-l', 'pod=two', '--all-containers', '--tail=1')
      expect(last.trimEnd().split('\n').sort()).toEqual(['a3', 'b1'])
      expect((await kubectl.fails('logs', 'two', '-c', 'zz')).stderr).toContain('container zz is not valid for pod two')
      expect((await kubectl.fails('logs', 'nope')).stderr).toContain('pods "nope" not found')
    })

    it('are followed until they end', async () => {
      await kubectl.send(['apply'], pod('ends', { a: 'echo first; sleep 1; echo last' }))
      await kubectl('wait', '--for=jsonpath={.status.phase}=Running', 'pod/ends', '--timeout=30s')
      expect(await kubectl('logs', '-f', 'ends')).toBe('first\nlast\n')
    })

    it('show what they printed before they restarted', async () => {
      await kubectl(
        'wait',
        '--for=jsonpath={.status.containerStatuses[0].restartCount}=1',
        'pod/again',
        '--timeout=40s',
      )
      expect(await kubectl('logs', 'again', '--previous')).toBe('once\n')
      expect((await kubectl.fails('logs', 'two', '-c', 'a', '--previous')).stderr).toContain(
        'previous terminated container "a" in pod "two" not found',
      )
    })

    it('run commands', async () => {
      expect(await kubectl('exec', 'two', '-c', 'a', '--', 'echo', 'inside')).toBe('inside\n')
      const failed = await kubectl.run(['exec', 'two', '-c', 'a', '--', 'sh', '-c', 'echo out; echo err >&2; exit 4'])
      expect(failed).toMatchObject({ code: 4, stdout: 'out\n' })
      expect(failed.stderr).toContain('err\n')
      const fed = await kubectl.run(['exec', '-i', 'two', '-c', 'b', '--', 'cat'], { input: 'to and fro' })
      expect(fed).toMatchObject({ code: 0, stdout: 'to and fro' })
      expect((await kubectl.fails('exec', 'nope', '--', 'true')).stderr).toContain('pods "nope" not found')
    })

    it('are described, with their events', async () => {
      const text = await kubectl('describe', 'pod', 'two')
      expect(text).toMatch(/^Name: +two$/m)
      expect(text).toMatch(/Normal +Started .* Started container a/)
      expect((await kubectl('describe', 'node')).replaceAll(/ +/g, ' ')).toContain(
        'KubeletReady this machine runs pods',
      )
      expect(await kubectl.rows('events', '--for', 'pod/two')).toContainEqual(
        expect.stringMatching(/Normal Scheduled Pod\/two Successfully assigned pods\/two to /),
      )
      expect((await kubectl.rows('get', 'events'))[0]).toBe('LAST SEEN TYPE REASON OBJECT MESSAGE')
    })

    it('are shown with their state', async () => {
      expect(await kubectl.rows('get', 'pods', 'two', '-o', 'wide')).toEqual([
        'NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES',
        expect.stringMatching(/^two 2\/2 Running 0 \d+s 127\.\S+ local <none> <none>$/),
      ])
      expect((await kubectl.rows('get', 'pods', 'again'))[1]).toMatch(/^again 1\/1 Running 1 \(\d+s ago\) \d+s$/)
    })
  })

  describe('wait and delete', () => {
    let kubectl: Kubectl
    beforeAll(async () => {
      kubectl = await inNamespace('del')
    })

    it('wait for conditions, values and ends', async () => {
      await kubectl.send(['apply'], trainJob('quick', 'echo done', { nodes: 2 }))
      expect(await kubectl('wait', '--for=condition=Complete', 'trainjob/quick', '--timeout=30s')).toBe(
        'trainjob.trainer.kubeflow.org/quick condition met\n',
      )
      expect((await kubectl.rows('get', 'pods', '--no-headers')).every((row) => / Completed /.test(row))).toBe(true)
      expect(
        (await kubectl.fails('wait', '--for=condition=Failed', 'trainjob/quick', '--timeout=1s')).stderr,
      ).toContain('timed out waiting for the condition on trainjobs/quick')
      const gone = kubectl('wait', '--for=delete', 'trainjob/quick', '--timeout=30s')
      await kubectl('delete', 'trainjob', 'quick')
      await gone
      // what it owned goes behind it
      await kubectl('wait', '--for=delete', 'pods', '--all', '--timeout=30s')
    })

    it.each(['foreground', 'background', 'orphan'])('deletes with --cascade=%s', async (cascade) => {
      const name = `c-${cascade}`
      await kubectl.send(['apply'], held(name))
      await kubectl('wait', '--for=create', `jobset/${name}`, '--timeout=20s')
      expect(await kubectl('delete', 'trainjob', name, `--cascade=${cascade}`)).toContain(
        `trainjob.trainer.kubeflow.org "${name}" deleted`,
      )
      if (cascade === 'background') await kubectl('wait', '--for=delete', `jobset/${name}`, '--timeout=20s')
      const left = await kubectl(
        'get',
        'jobset',
        name,
        '--ignore-not-found',
        '-o',
        'jsonpath={.metadata.ownerReferences}{.kind}',
      )
      expect(left).toBe(cascade === 'orphan' ? 'JobSet' : '')
    })

    it('deletes pods in grace, at once, by label and in dry run', async () => {
      await kubectl.send(['apply'], pod('p', { a: 'sleep 100' }))
      await kubectl('wait', '--for=condition=Ready', 'pod/p', '--timeout=30s')
      expect(await kubectl('delete', 'pod', 'p', '--dry-run=server')).toContain('(server dry run)')
      expect(await kubectl('delete', 'pod', 'p', '--now')).toContain('pod "p" deleted')
      await kubectl.send(['apply'], pod('q', { a: 'trap "" TERM; sleep 100 & wait; wait' }))
      const forced = await kubectl.run(['delete', 'pods', '-l', 'pod=q', '--force', '--grace-period=0'])
      expect(forced.stdout).toContain('pod "q" force deleted')
      expect((await kubectl.fails('delete', 'pod', 'p')).stderr).toContain('pods "p" not found')
    })

    it('deletes a namespace with all that is in it', async () => {
      const other = await inNamespace('doomed')
      await other.send(['apply'], held('a'))
      expect(await kubectl('delete', 'namespace', 'doomed')).toContain('namespace "doomed" deleted')
      expect((await other.run(['get', 'trainjobs,jobsets,jobs'])).stderr).toBe(
        'No resources found in doomed namespace.\n',
      )
    })
  })

  describe('the server', () => {
    let kubectl: Kubectl
    beforeAll(() => {
      kubectl = kubectlOf(bin, cluster, 'default')
    })

    it('explains its kinds', async () => {
      const text = await kubectl('explain', 'trainjob.spec.trainer')
      expect(text).toMatch(/^KIND: +TrainJob$/m)
      expect(text).toMatch(/^ {2}numNodes\t<integer>$/m)
      expect(text).toMatch(/^ {2}command\t<\[\]string>$/m)
      expect(await kubectl('explain', 'jobset.spec.failurePolicy')).toContain('enum: Recreate, BlockingRecreate')
      expect(await kubectl('explain', 'pods.spec.containers.env.valueFrom', '--recursive')).toContain('secretKeyRef')
      expect((await kubectl.fails('explain', 'trainjob.spec.nope')).stderr).toContain('field "nope" does not exist')
    })

    it('lists what it serves', async () => {
      const rows = await kubectl.rows('api-resources')
      expect(rows).toContain('trainjobs trainer.kubeflow.org/v1alpha1 true TrainJob')
      expect(rows).toContain('pods po v1 true Pod')
      expect(await kubectl.rows('api-versions')).toEqual(
        expect.arrayContaining(['batch/v1', 'jobset.x-k8s.io/v1alpha2', 'v1']),
      )
      expect((await kubectl.run(['version'])).stdout).toMatch(/Server Version: v1\.36\./)
      expect(await kubectl('get', '--raw', '/readyz')).toBe('ok')
      expect((await kubectl.fails('top', 'pods')).stderr).toBe('error: Metrics API not available\n')
    })

    it('says who may do what', async () => {
      expect(await kubectl('auth', 'can-i', 'create', 'trainjobs')).toBe('yes\n')
      expect((await kubectl.rows('auth', 'can-i', '--list'))[1]).toBe('*.* [] [] [*]')
      expect(await kubectl.rows('auth', 'whoami')).toContain('Username trainjob-admin')
    })

    it('gives out tokens that let their holder in', async () => {
      await kubectl('create', 'serviceaccount', 'worker')
      const token = (await kubectl('create', 'token', 'worker', '--duration=1h')).trim()
      const kubeconfig = path.join(cluster.dir, 'worker')
      const admin = JSON.parse(await kubectl('config', 'view', '--raw', '-o', 'json')) as { users: [{ user: object }] }
      admin.users[0].user = { token }
      await writeFile(kubeconfig, JSON.stringify(admin))
      const env = { KUBECONFIG: kubeconfig }
      const who = await kubectl.run(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'], { env })
      expect(who.stdout).toBe('system:serviceaccount:default:worker')
      await kubectl('delete', 'serviceaccount', 'worker')
      expect((await kubectl.run(['get', 'pods'], { env })).stderr).toContain('You must be logged in to the server')
      expect((await kubectl.fails('create', 'token', 'worker')).stderr).toContain('serviceaccounts "worker" not found')
    })
  })

  describe("kinds of one's own", () => {
    const widgets = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
            subresources: { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    properties: { size: { type: 'integer', minimum: 1, default: 2, description: 'How large it is.' } },
                  },
                },
              },
            },
          },
        ],
      },
    }
    const widget = (spec: object) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec })

    it('are defined, used, explained and scaled', async () => {
      const kubectl = await inNamespace('widgets')
      await kubectl.send(['apply'], widgets)
      await kubectl('wait', '--for=condition=Established', 'crd/widgets.example.com', '--timeout=20s')
      expect(await kubectl.send(['apply'], widget({}))).toBe('widget.example.com/w created\n')
      expect(await kubectl.rows('get', 'wd')).toEqual(['NAME SIZE', 'w 2'])
      expect(await kubectl('explain', 'widget.spec.size')).toContain('How large it is.')
      expect(await kubectl('scale', 'widget', 'w', '--replicas=5')).toContain('scaled')
      expect(await kubectl('get', 'widget', 'w', '-o', 'jsonpath={.spec.size}')).toBe('5')
      const small = await kubectl.run(['apply', '-f', '-'], { input: JSON.stringify(widget({ size: 0 })) })
      expect(small.stderr).toContain('spec.size in body should be greater than or equal to 1')
      const unknown = await kubectl.run(['apply', '--server-side', '-f', '-'], {
        input: JSON.stringify(widget({ bogus: 1 })),
      })
      expect(unknown.stderr).toContain('.spec.bogus: field not declared in schema')
      await kubectl('delete', 'crd', 'widgets.example.com')
      // kubectl remembers what was served
      expect((await kubectl.fails('get', 'widgets')).stderr).toContain(
        'the server could not find the requested resource',
      )
    })
  })
})
