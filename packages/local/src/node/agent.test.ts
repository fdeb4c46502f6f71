import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigMaps, Nodes, type Pod, Pods, Secrets } from '@trainjob/api'
import { afterEach, describe, expect, it } from 'vitest'
import { isAlive, shell, type TestNode, testNode } from './testing/test-node.ts'

let node: TestNode
afterEach(() => node?.close())

const container = (pod: Pod) => pod.status?.containerStatuses?.[0]
const phase = (wanted: string) => (pod: Pod) => pod.status?.phase === wanted
const isReady = (pod: Pod) => pod.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') === true
const pidIn = async (name: string): Promise<number> => {
  await node.until(name, (pod) => container(pod)?.state?.running !== undefined)
  for await (const chunk of node.client.logs({ namespace: 'default', name }, { follow: true })) {
    const match = /pid (\d+)/.exec(Buffer.from(chunk).toString())
    if (match !== null) return Number(match[1])
  }
  throw new Error('no pid was printed')
}

describe('the node', () => {
  it('registers itself with what the machine has', async () => {
    node = await testNode()
    const registered = await node.client.get(Nodes, { name: 'local' })
    expect(Number(registered.status?.allocatable?.cpu)).toBeGreaterThan(0)
    expect(registered.status?.allocatable?.memory).toMatch(/^\d+Ki$/)
    expect(registered.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }))
  })

  it('offers the GPUs that the vendor’s tool lists', async () => {
    node = await testNode()
    const tools = join(node.dir, 'tools')
    mkdirSync(tools)
    writeFileSync(join(tools, 'nvidia-smi'), '#!/bin/sh\necho "GPU 0: A"\necho "GPU 1: B"\n', { mode: 0o755 })
    const other = node
    node = await testNode({ env: { PATH: `${tools}:${process.env.PATH}` } })
    try {
      for await (const event of node.client.watch(Nodes, { resourceVersion: '0' })) {
        if (event.type !== 'BOOKMARK' && event.object.status?.capacity?.['nvidia.com/gpu'] === '2') break
      }
    } finally {
      await other.close()
    }
  })
})

describe('a pod', () => {
  it('runs to its end', async () => {
    node = await testNode()
    await node.run('p', { containers: shell('echo hello; echo $HOSTNAME') })
    const pod = await node.until('p', phase('Succeeded'))
    expect(container(pod)?.state?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' })
    expect(pod.status?.podIP).toMatch(/^127\./)
    expect(await node.logs('p')).toBe('hello\np\n')
    expect((await node.events('p')).map((event) => event.reason)).toContain('Started')
    expect(node.notes).toEqual([expect.stringContaining('images are not pulled')])
  })

  it.each([
    ['exit 3', 3],
    // Kubernetes takes two dollar signs for one
    ['kill -KILL $$$$', 137],
  ])('fails with the exit code of %s', async (script, exitCode) => {
    node = await testNode()
    await node.run('p', { containers: shell(script) })
    expect(container(await node.until('p', phase('Failed')))?.state?.terminated).toMatchObject({
      exitCode,
      reason: 'Error',
    })
  })

  it('restarts a failed container in place, waits longer each time, and keeps the previous log', async () => {
    node = await testNode()
    await node.run('p', {
      restartPolicy: 'OnFailure',
      containers: shell(
        'echo attempt; test -f third && echo done && exit 0; test -f second && touch third; touch second; exit 4',
      ),
    })
    const waiting = await node.until('p', (pod) => container(pod)?.state?.waiting?.reason === 'CrashLoopBackOff')
    expect(container(waiting)).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 4 } } })
    const pod = await node.until('p', phase('Succeeded'))
    expect(container(pod)).toMatchObject({ restartCount: 2, lastState: { terminated: { exitCode: 4 } } })
    expect(await node.logs('p')).toBe('attempt\ndone\n')
    expect(await node.logs('p', { previous: true })).toBe('attempt\n')
    expect((await node.events('p')).map((event) => event.reason)).toContain('BackOff')
  })

  it('is ready while it runs, and says when it is not any more', async () => {
    node = await testNode()
    await node.run('p', {
      containers: shell('read x < fifo'),
      initContainers: [{ name: 'make', command: ['mkfifo', 'fifo'] }],
    })
    const ready = await node.until('p', isReady)
    expect(ready.status?.phase).toBe('Running')
    await node.run('q', {
      containers: shell(`cd ${join(node.dir, 'pods', ready.metadata.uid ?? '', 'work')}; echo go > fifo`),
    })
    const pod = await node.until('p', phase('Succeeded'))
    expect(pod.status?.conditions?.find((c) => c.type === 'Ready')).toMatchObject({
      status: 'False',
      reason: 'PodCompleted',
    })
  })

  it('runs init containers in order, then sidecars and main containers together', async () => {
    node = await testNode()
    const append = (text: string) => ['sh', '-c', `echo ${text} >> order`]
    await node.run('p', {
      initContainers: [
        { name: 'one', command: append('one') },
        {
          name: 'beside',
          restartPolicy: 'Always',
          command: [
            'sh',
            '-c',
            'trap "echo bye >> order; exit 0" TERM; echo beside >> order; while :; do sleep 0.01; done',
          ],
        },
        { name: 'two', command: ['sh', '-c', 'until grep -q beside order; do sleep 0.01; done; echo two >> order'] },
      ],
      containers: shell('cat order; echo main >> order'),
    })
    const pod = await node.until('p', phase('Succeeded'))
    expect(await node.logs('p', { container: 'node' })).toBe('one\nbeside\ntwo\n')
    expect(pod.status?.initContainerStatuses?.map((c) => c.state?.terminated?.exitCode)).toEqual([0, 0, 0])
  })

  it('shows a failing init container and does not start the others', async () => {
    node = await testNode()
    await node.run('p', { initContainers: [{ name: 'bad', command: ['false'] }], containers: shell('echo never') })
    const pod = await node.until('p', phase('Failed'))
    expect(pod.status?.initContainerStatuses?.[0]?.state?.terminated?.exitCode).toBe(1)
    expect(container(pod)?.state?.terminated?.reason).toBe('ContainerStatusUnknown')
  })

  it('ends at its deadline', async () => {
    node = await testNode()
    await node.run('p', { activeDeadlineSeconds: 1, terminationGracePeriodSeconds: 0, containers: shell('sleep 100') })
    expect((await node.until('p', phase('Failed'))).status).toMatchObject({ reason: 'DeadlineExceeded' })
  })

  it('waits for its readiness probe', async () => {
    node = await testNode()
    const server =
      'const s=require("net").createServer().listen(0,process.env.IP,()=>console.log("port "+s.address().port))'
    await node.run('p', {
      containers: [
        {
          name: 'node',
          command: ['node', '-e', server],
          env: [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
          readinessProbe: { exec: { command: ['test', '-f', 'ready'] }, periodSeconds: 0.05 },
        },
      ],
    })
    const running = await node.until('p', (pod) => container(pod)?.state?.running !== undefined)
    expect(isReady(running)).toBe(false)
    writeFileSync(join(node.dir, 'pods', running.metadata.uid ?? '', 'work', 'ready'), '')
    expect(container(await node.until('p', isReady))?.ready).toBe(true)
  })

  it('restarts a container whose liveness probe fails', async () => {
    node = await testNode()
    await node.run('p', {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 0,
      containers: shell('sleep 100', {
        livenessProbe: { exec: { command: ['false'] }, periodSeconds: 0.02, failureThreshold: 1 },
      }),
    })
    expect(
      container(await node.until('p', (pod) => (container(pod)?.restartCount ?? 0) > 0))?.lastState?.terminated
        ?.exitCode,
    ).toBe(137)
  })
})

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
    const pod = await node.until('p', (p) => container(p)?.state?.waiting?.reason === 'CreateContainerConfigError')
    expect(container(pod)?.state?.waiting?.message).toBe('configmap "late" not found')
    expect(pod.status?.phase).toBe('Pending')
    const metadata = { namespace: 'default', name: 'late' }
    await node.client.create(ConfigMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { A: 'here' } })
    await node.until('p', phase('Succeeded'))
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
    await node.until('p', phase('Succeeded'))
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
    const { metadata } = await node.until('p', phase('Succeeded'))
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
      await node.until('p', phase('Succeeded'))
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
      await node.until('p', phase('Succeeded'))
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
    await node.until('p', phase('Succeeded'))
    expect(await node.logs('p')).toMatch(/\/dev\/shm$/m)
  })

  it('keeps claims when their pod goes', async () => {
    node = await testNode()
    const spec = (script: string) => ({
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'ckpt' } }],
      containers: shell(script, { volumeMounts: [{ name: 'v', mountPath: '/ckpt' }] }),
    })
    await node.run('p', spec('echo epoch 3 > /ckpt/state'))
    await node.until('p', phase('Succeeded'))
    await node.client.delete(Pods, { namespace: 'default', name: 'p' })
    await node.gone('p')
    await node.run('q', spec('cat /ckpt/state'))
    await node.until('q', phase('Succeeded'))
    expect(await node.logs('q')).toBe('epoch 3\n')
  })

  it('shows the project at /workspace, where it also starts', async () => {
    const project = join(import.meta.dirname, 'testing')
    node = await testNode({ workspace: project })
    await node.run('p', {
      containers: shell('pwd; ls /workspace; echo $DIR', { env: [{ name: 'DIR', value: '/workspace/out' }] }),
    })
    await node.until('p', phase('Succeeded'))
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
    ['no command', { command: [] }, 'has no command'],
  ])('refuses %s', async (_, more, message) => {
    node = await testNode()
    await node.run('p', {
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'h', hostPath: { path: '/etc' } },
      ],
      containers: shell('true', more),
    })
    const pod = await node.until('p', (p) => container(p)?.state?.waiting?.message !== undefined)
    expect(container(pod)?.state?.waiting?.message).toContain(message)
    expect(container(pod)?.state?.waiting?.reason).toMatch(/^CreateContainer(Config)?Error$/)
  })

  it('says which program is missing, in the status and in the log', async () => {
    node = await testNode()
    await node.run('p', { containers: [{ name: 'node', command: ['no-such-python', 'train.py'] }] })
    const pod = await node.until('p', phase('Failed'))
    const message = expect.stringContaining('no-such-python: not found on PATH; install it')
    expect(container(pod)?.state?.terminated).toMatchObject({ exitCode: 127, reason: 'StartError', message })
    expect(await node.logs('p')).toEqual(message)
  })
})

describe('an end', () => {
  it('gives a deleted pod its grace period', async () => {
    node = await testNode()
    await node.run('p', {
      containers: shell('trap "echo saving; exit 0" TERM; echo pid $$$$; while :; do sleep 0.01; done'),
    })
    await pidIn('p')
    const following = node.logs('p', { follow: true })
    await node.client.delete(Pods, { namespace: 'default', name: 'p' })
    await node.gone('p')
    expect(await following).toContain('saving')
  })

  it('kills a tree that ignores SIGTERM when the grace period is over', async () => {
    node = await testNode()
    await node.run('p', {
      containers: shell('trap "" TERM; setsid sh -c "echo pid \\$$\\$$; sleep 100; sleep 100" & sleep 100; sleep 100'),
    })
    const pid = await pidIn('p')
    await node.client.delete(Pods, { namespace: 'default', name: 'p' }, { gracePeriodSeconds: 1 })
    await node.gone('p')
    expect(isAlive(pid)).toBe(false)
  })

  it('reports how a pod ended that somebody else still needs', async () => {
    node = await testNode()
    const finalizers = ['batch.kubernetes.io/job-tracking']
    await node.run('p', { containers: shell('echo pid $$$$; exec sleep 100') }, { finalizers })
    const pid = await pidIn('p')
    await node.client.delete(Pods, { namespace: 'default', name: 'p' })
    const pod = await node.until(
      'p',
      (p) => p.status?.phase === 'Failed' && p.metadata.deletionGracePeriodSeconds === 0,
    )
    expect(container(pod)?.state?.terminated?.exitCode).toBe(143)
    expect(isAlive(pid)).toBe(false)
    const body = { metadata: { finalizers: null } }
    await node.client.patch(Pods, { namespace: 'default', name: 'p' }, { type: 'merge', body })
    await node.gone('p')
  })

  it('removes the files of a pod that is gone', async () => {
    node = await testNode()
    const { metadata } = await node.run('p', { containers: shell('echo x') })
    await node.until('p', phase('Succeeded'))
    const folder = join(node.dir, 'pods', metadata.uid ?? '')
    expect(existsSync(folder)).toBe(true)
    await node.client.delete(Pods, { namespace: 'default', name: 'p' })
    await node.gone('p')
    await node.agent.stop()
    expect(existsSync(folder)).toBe(false)
  })

  it('leaves no process behind when the agent stops', async () => {
    node = await testNode()
    await node.run('p', { containers: shell('trap "" TERM; setsid sleep 100 & echo pid $!; sleep 100; sleep 100') })
    const pid = await pidIn('p')
    await node.agent.stop({ graceMs: 20 })
    expect(isAlive(pid)).toBe(false)
    expect(readdirSync(join(node.dir, 't'))).toEqual([])
  })

  it('fails the container, not the engine, when its log cannot be written', async () => {
    const openLog = (path: string) => (path.includes('full') ? '/dev/full' : path)
    node = await testNode({ logFile: openLog })
    await node.run('p', { containers: [{ name: 'full', command: ['sh', '-c', 'echo x; sleep 100'] }] })
    const pod = await node.until('p', phase('Failed'))
    expect(container(pod)?.state?.terminated).toMatchObject({
      exitCode: 137,
      message: expect.stringContaining('ENOSPC'),
    })
    await node.run('q', { containers: shell('echo fine') })
    await node.until('q', phase('Succeeded'))
    expect(await node.logs('q')).toBe('fine\n')
  })
})

describe('the network of a job', () => {
  const serve =
    'const n=require("net");const {ADDR,MASTER_PORT:P,RANK}=process.env;' +
    'if(RANK==="0"){const s=n.createServer(c=>c.end("from "+process.env.JOB,()=>s.close()));s.listen(Number(P),"0.0.0.0")}' +
    'else{const t=()=>{const c=n.connect(Number(P),process.env.MASTER_ADDR);c.on("error",()=>setTimeout(t,20));c.on("data",d=>{console.log(String(d),P)})};t()}'
  const rank = async (job: string, index: number) => {
    await node.run(
      `${job}-node-0-${index}-abcde`,
      {
        hostname: `${job}-node-0-${index}`,
        subdomain: job,
        containers: [
          {
            name: 'node',
            command: ['node', '-e', serve],
            ports: [{ containerPort: 29511 }],
            env: [
              { name: 'JOB', value: job },
              { name: 'RANK', value: String(index) },
              { name: 'MASTER_ADDR', value: `${job}-node-0-0.${job}` },
              { name: 'MASTER_PORT', value: '29511' },
            ],
          },
        ],
      },
      { labels: { 'jobset.sigs.k8s.io/jobset-name': job } },
    )
  }

  it('lets two jobs with one port run side by side, servers on 0.0.0.0 too', async () => {
    node = await testNode()
    for (const job of ['a', 'b']) for (const index of [0, 1]) await rank(job, index)
    for (const job of ['a', 'b']) await node.until(`${job}-node-0-1-abcde`, phase('Succeeded'))
    expect(await node.logs('a-node-0-1-abcde')).toBe('from a 29511\n')
    expect(await node.logs('b-node-0-1-abcde')).toMatch(/^from b (?!29511)\d+\n$/)
    expect(node.notes).toContainEqual(
      expect.stringMatching(/^port 29511 is taken on this machine: default\/b uses \d+ instead$/),
    )
  })

  it('avoids a port that another program has', async () => {
    const other = await new Promise<Server>((resolve) => {
      const server = createServer().listen(29511, '0.0.0.0', () => resolve(server))
    })
    try {
      node = await testNode()
      for (const index of [1, 0]) await rank('c', index)
      await node.until('c-node-0-1-abcde', phase('Succeeded'))
      expect(await node.logs('c-node-0-1-abcde')).toMatch(/^from c (?!29511)/)
    } finally {
      other.close()
    }
  })

  it('gives the port back with the last pod of the job', async () => {
    node = await testNode()
    for (const index of [0, 1]) await rank('d', index)
    await node.until('d-node-0-1-abcde', phase('Succeeded'))
    await node.until('d-node-0-0-abcde', phase('Succeeded'))
    for (const index of [0, 1]) await rank('e', index)
    await node.until('e-node-0-1-abcde', phase('Succeeded'))
    expect(await node.logs('e-node-0-1-abcde')).toBe('from e 29511\n')
  })
})
