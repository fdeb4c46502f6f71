import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigMaps, Pods, Secrets } from '@trainjob/api'
import { afterEach, describe, expect, it } from 'vitest'
import { firstContainer, inPhase, shell, type TestNode, testNode } from './testing/test-node.ts'

let node: TestNode
afterEach(() => node?.close())

describe('what a container is given', () => {
  it('reads env from ConfigMaps, Secrets and the pod', async () => {
    node = await testNode()
    const metadata = (name: string) => ({ namespace: 'default', name })
    await node.client.create(ConfigMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: metadata('c'),
      data: { LR: '0.1' },
    })
    await node.client.create(Secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: metadata('s'),
      stringData: { TOKEN: 'x' },
    })
    await node.run(
      'p',
      {
        containers: [
          {
            name: 'node',
            command: ['sh', '-c', 'echo $LR $TOKEN $INDEX $(NAME) $$(NAME)'],
            envFrom: [{ configMapRef: { name: 'c' } }, { secretRef: { name: 's' } }],
            env: [
              { name: 'INDEX', valueFrom: { fieldRef: { fieldPath: "metadata.labels['i']" } } },
              { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            ],
          },
        ],
      },
      { labels: { i: '7' } },
    )
    await node.until('p', (pod) => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed')
    expect(await node.logs('p')).toContain('0.1 x 7 p')
  })

  it('waits for a ConfigMap that does not exist yet', async () => {
    node = await testNode()
    await node.run('p', { containers: shell('echo $A', { envFrom: [{ configMapRef: { name: 'late' } }] }) })
    const pod = await node.until('p', (p) => firstContainer(p)?.state?.waiting?.reason === 'CreateContainerConfigError')
    expect(firstContainer(pod)?.state?.waiting?.message).toBe('configmap "late" not found')
    expect(pod.status?.phase).toBe('Pending')
    const metadata = { namespace: 'default', name: 'late' }
    await node.client.create(ConfigMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { A: 'here' } })
    await node.until('p', inPhase('Succeeded'))
    expect(await node.logs('p')).toBe('here\n')
  })

  it('mounts volumes at their paths, one folder a volume', async () => {
    node = await testNode()
    await node.client.create(ConfigMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name: 'c' },
      data: { 'train.sh': 'echo from the volume; cat /scratch/x' },
    })
    const volumeMounts = [
      { name: 'code', mountPath: '/code' },
      { name: 'tmp', mountPath: '/scratch' },
    ]
    await node.run('p', {
      volumes: [
        { name: 'code', configMap: { name: 'c' } },
        { name: 'tmp', emptyDir: {} },
      ],
      initContainers: [{ name: 'i', command: ['sh', '-c', 'echo made > /scratch/x'], volumeMounts }],
      containers: [{ name: 'node', command: ['sh', '/code/train.sh'], volumeMounts }],
    })
    await node.until('p', inPhase('Succeeded'))
    expect(await node.logs('p')).toBe('from the volume\nmade\n')
  })

  it('rewrites paths of volumes where they cannot be mounted, and says so', async () => {
    node = await testNode({ mounts: 'rewrite' })
    await node.run('p', {
      volumes: [{ name: 'v', emptyDir: {} }],
      containers: shell('echo "x" > /data/x; cat $FILE; pwd', {
        workingDir: '/data',
        env: [{ name: 'FILE', value: '/data/x' }],
        volumeMounts: [{ name: 'v', mountPath: '/data' }],
      }),
    })
    const { metadata } = await node.until('p', inPhase('Succeeded'))
    expect(await node.logs('p')).toBe(`x\n${join(node.dir, 'pods', metadata.uid ?? '', 'volumes/v')}\n`)
    expect(node.notes).toContainEqual(expect.stringContaining('volumes cannot be mounted'))
    expect(existsSync('/data')).toBe(false)
  })

  it('keeps the project and a folder for temporary files when a volume covers /tmp', async () => {
    const project = mkdtempSync(join(tmpdir(), 'trainjob-project-'))
    writeFileSync(join(project, 'train.sh'), 'pwd; mktemp; ls /tmp/x', { mode: 0o755 })
    try {
      node = await testNode({ workspace: project })
      await node.run('p', {
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: shell('touch /tmp/x; sh /workspace/train.sh', { volumeMounts: [{ name: 'v', mountPath: '/tmp' }] }),
      })
      await node.until('p', inPhase('Succeeded'))
      expect(await node.logs('p')).toMatch(new RegExp(`^${project}\n/tmp/\\S+\n/tmp/x\n$`))
    } finally {
      rmSync(project, { recursive: true, force: true })
    }
  })

  it('mounts a volume inside of the project, under both of its paths', async () => {
    const project = mkdtempSync(join(tmpdir(), 'my project '))
    try {
      node = await testNode({ workspace: project })
      await node.run('p', {
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: shell('echo x > /workspace/dataset/x; cat dataset/x; echo y > /workspace/result', {
          volumeMounts: [{ name: 'v', mountPath: '/workspace/dataset' }],
        }),
      })
      await node.until('p', inPhase('Succeeded'))
      expect(await node.logs('p')).toBe('x\n')
      expect(readdirSync(project).sort()).toEqual(['dataset', 'result'])
      expect(readdirSync(join(project, 'dataset'))).toEqual([])
    } finally {
      rmSync(project, { recursive: true, force: true })
    }
  })

  it('takes the machine’s shared memory for a volume at /dev/shm', async () => {
    node = await testNode()
    await node.run('p', {
      volumes: [{ name: 'shm', emptyDir: { medium: 'Memory' } }],
      containers: shell('df -P /dev/shm | tail -1', { volumeMounts: [{ name: 'shm', mountPath: '/dev/shm' }] }),
    })
    await node.until('p', inPhase('Succeeded'))
    expect(await node.logs('p')).toMatch(/\/dev\/shm$/m)
  })

  it('keeps claims when their pod goes', async () => {
    node = await testNode()
    const spec = (script: string) => ({
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'ckpt' } }],
      containers: shell(script, { volumeMounts: [{ name: 'v', mountPath: '/ckpt' }] }),
    })
    await node.run('p', spec('echo epoch 3 > /ckpt/state'))
    await node.until('p', inPhase('Succeeded'))
    await node.client.delete(Pods, { namespace: 'default', name: 'p' })
    await node.gone('p')
    await node.run('q', spec('cat /ckpt/state'))
    await node.until('q', inPhase('Succeeded'))
    expect(await node.logs('q')).toBe('epoch 3\n')
  })

  it('shows the project at /workspace, where it also starts', async () => {
    const project = join(import.meta.dirname, 'testing')
    node = await testNode({ workspace: project })
    await node.run('p', {
      containers: shell('pwd; ls /workspace; echo $DIR', { env: [{ name: 'DIR', value: '/workspace/out' }] }),
    })
    await node.until('p', inPhase('Succeeded'))
    expect(await node.logs('p')).toBe(`${project}\ntest-node.ts\n${project}/out\n`)
  })

  it.each([
    [
      'a path out of the volume',
      { volumeMounts: [{ name: 'v', mountPath: '/v', subPath: '../../x' }] },
      'subPath "../../x" must stay inside',
    ],
    ['no volume', { volumeMounts: [{ name: 'w', mountPath: '/w' }] }, 'mounts volume w, which the pod does not have'],
    [
      'a folder of the machine',
      { volumeMounts: [{ name: 'h', mountPath: '/h' }] },
      'hostPath /etc is outside of the project folder',
    ],
  ])('refuses %s', async (_, more, message) => {
    node = await testNode()
    await node.run('p', {
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'h', hostPath: { path: '/etc' } },
      ],
      containers: shell('true', more),
    })
    const pod = await node.until('p', (p) => firstContainer(p)?.state?.waiting?.message !== undefined)
    expect(firstContainer(pod)?.state?.waiting?.message).toContain(message)
    expect(firstContainer(pod)?.state?.waiting?.reason).toMatch(/^CreateContainer(Config)?Error$/)
  })

  it('fails a container without a command, for nothing that comes later would help', async () => {
    node = await testNode()
    await node.run('p', { containers: [{ name: 'node', image: 'pytorch/pytorch' }] })
    const pod = await node.until('p', inPhase('Failed'))
    const message = expect.stringContaining('has no command: it would run the entrypoint of image pytorch/pytorch')
    expect(firstContainer(pod)?.state?.terminated).toMatchObject({ exitCode: 128, reason: 'StartError', message })
    expect(await node.logs('p')).toEqual(message)
  })

  it('says which program is missing, in the status and in the log', async () => {
    node = await testNode()
    await node.run('p', { containers: [{ name: 'node', command: ['no-such-python', 'train.py'] }] })
    const pod = await node.until('p', inPhase('Failed'))
    const message = expect.stringContaining('no-such-python: not found on PATH; install it')
    expect(firstContainer(pod)?.state?.terminated).toMatchObject({ exitCode: 127, reason: 'StartError', message })
    expect(await node.logs('p')).toEqual(message)
  })
})
