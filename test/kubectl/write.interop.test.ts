import { beforeAll, describe, expect, it } from 'vitest'
import { describeKubectl } from './describe-kubectl.ts'
import type { Kubectl } from './kubectl.ts'
import { configMap, held } from './samples.ts'

describeKubectl('writes', ({ inNamespace }) => {
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

  it('takes a List', async () => {
    const kubectl = await inNamespace('list')
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [configMap('a', { x: 'y' }, { app: 'x' }), held('b', { app: 'x' })],
    }
    expect(await kubectl.send(['apply'], list)).toBe('configmap/a created\ntrainjob.trainer.kubeflow.org/b created\n')
    expect(await kubectl.send(['apply'], list)).toBe(
      'configmap/a unchanged\ntrainjob.trainer.kubeflow.org/b unchanged\n',
    )
  })
})
