import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Container, type Pod, Pods } from '@trainjob/api'
import { afterEach, describe, expect, it } from 'vitest'
import { inPhase, type TestNode, testNode } from '../testing/test-node.ts'

let node: TestNode
afterEach(() => node?.close())

const labels = { 'jobset.sigs.k8s.io/jobset-name': 'j', 'jobset.sigs.k8s.io/jobset-uid': 'u' }
const volumes = [{ name: 'mpi-ssh-auth', emptyDir: {} }]

const worker: Container = {
  name: 'node',
  command: ['/usr/sbin/sshd'],
  args: ['-De', '-f', '/home/mpiuser/.sshd_config'],
  env: [{ name: 'SEEN', value: 'by the worker' }],
  volumeMounts: [{ name: 'mpi-ssh-auth', mountPath: '/home/mpiuser/.ssh' }],
  readinessProbe: { tcpSocket: { port: 2222 }, periodSeconds: 1 },
}

/** A container like an MPI launcher's, which calls the program that mpirun would call. */
const launcher = (script: string): Container => ({
  name: 'node',
  command: ['sh', '-c', script],
  env: [
    { name: 'OMPI_MCA_orte_default_hostfile', value: '/etc/mpi/hostfile' },
    { name: 'SEEN', value: 'by the launcher' },
  ],
})

async function startWorker(options: Parameters<typeof testNode>[0] = {}): Promise<void> {
  node = await testNode(options)
  await node.run('w', { hostname: 'j-node-0-0', subdomain: 'j', volumes, containers: [worker] }, { labels })
  await node.until('w', isReady)
}

async function launch(script: string): Promise<{ pod: Pod; text: string }> {
  const containers = [launcher(script)]
  await node.run('l', { hostname: 'j-launcher-0-0', subdomain: 'j', containers }, { labels })
  const pod = await node.until('l', (one) => inPhase('Succeeded')(one) || inPhase('Failed')(one))
  return { pod, text: await node.logs('l') }
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false
}

describe('the shell by which mpirun starts ranks', () => {
  it.each(['auto', 'rewrite'] as const)('runs commands beside the worker (mounts: %s)', async (mounts) => {
    await startWorker({ mounts })
    const { text } = await launch(
      '$OMPI_MCA_plm_rsh_agent -x -o ConnectionAttempts=10 me@j-node-0-0.j "echo \\$SEEN; echo aside >&2; exit 7"; echo "code $?"',
    )
    expect(text.split('\n').toSorted()).toEqual(['', 'aside', 'by the worker', 'code 7'])
    expect(node.notes).toContain('sshd is not started: mpirun reaches the nodes of its job inside of this engine')
  })

  it('runs commands for its own host where it is, with other temporary files', async () => {
    await startWorker()
    const { text } = await launch(
      'echo $TMPDIR; $OMPI_MCA_plm_rsh_agent j-launcher-0-0.j "echo \\$SEEN; echo \\$TMPDIR; kill -9 \\$\\$"; echo "code $?"',
    )
    const [own, seen, other, code] = text.trimEnd().split('\n')
    expect([seen, code]).toEqual(['by the launcher', 'code 137'])
    expect(other).toBe(`${own}/shell`)
  })

  it('ends what runs in a worker when the launcher ends', async () => {
    await startWorker()
    const file = join(node.dir, 'ended')
    await launch(`$OMPI_MCA_plm_rsh_agent j-node-0-0.j "trap 'echo > ${file}; exit' TERM; sleep 300 & wait" & sleep 1`)
    await expect.poll(() => existsSync(file)).toBe(true)
  })

  it('leaves alone what is no part of an MPI job', async () => {
    node = await testNode()
    await node.run('p', { containers: [{ name: 'node', command: ['sh', '-c', 'env | grep -c OMPI_ || true'] }] })
    await node.until('p', inPhase('Succeeded'))
    expect(await node.logs('p')).toBe('0\n')
    expect(await node.client.list(Pods, { namespace: 'default' })).toMatchObject({ items: [{}] })
  })
})
