import { afterEach, describe, expect, it } from 'vitest'
import { firstContainer, inPhase, type TestNode, testNode } from '../testing/test-node.ts'
import { type StandIn, standIn } from './testing/stand-in-server.ts'

let node: TestNode | undefined
let server: StandIn | undefined
afterEach(async () => {
  await node?.close()
  await server?.close()
  node = undefined
  server = undefined
})

const volumes = [{ name: 'data', emptyDir: {} }]
const initializer = (uri: string, mountPath = '/workspace') => ({
  name: 'fetch',
  image: 'ghcr.io/kubeflow/trainer/dataset-initializer',
  env: [{ name: 'STORAGE_URI', value: uri }],
  volumeMounts: [{ name: 'data', mountPath }],
})

describe('an initializer without a command', () => {
  it.each(['/workspace', '/workspace/dataset'])('fetches into the volume at %s before training', async (mountPath) => {
    server = await standIn(() => 'a,b\n1,2\n')
    node = await testNode()
    await node.run('p', {
      volumes,
      initContainers: [initializer(`${server.url}/data.csv`, mountPath)],
      containers: [
        {
          name: 'node',
          command: ['cat', '/workspace/dataset/data.csv'],
          volumeMounts: [{ name: 'data', mountPath }],
        },
      ],
    })
    await node.until('p', (pod) => inPhase('Succeeded')(pod) || inPhase('Failed')(pod))
    expect(await node.logs('p', { container: 'fetch' })).toMatch(
      /^fetching the dataset from .*\ndataset: 8 B .*complete\n$/s,
    )
    expect(await node.logs('p', { container: 'node' })).toBe('a,b\n1,2\n')
  })

  it('fails with what it met', async () => {
    server = await standIn(() => undefined)
    node = await testNode()
    await node.run('p', { volumes, containers: [initializer(`${server.url}/data.csv`)] })
    const pod = await node.until('p', inPhase('Failed'))
    expect(firstContainer(pod)?.state?.terminated).toMatchObject({ exitCode: 1, reason: 'Error' })
    expect(await node.logs('p')).toContain('/data.csv answers 404')
  })

  it('ends when its pod does', async () => {
    server = await standIn(() => ({ whole: Buffer.alloc(1_000_000), breakAt: 10 }))
    node = await testNode()
    await node.run('p', { volumes, containers: [initializer(`${server.url}/data.csv`)] })
    await node.until('p', inPhase('Running'))
    await node.agent.stop({ graceMs: 10_000 })
    const pod = await node.until('p', inPhase('Failed'))
    expect(firstContainer(pod)?.state?.terminated?.exitCode).toBe(143)
  })

  it('needs a place for what it fetches', async () => {
    node = await testNode()
    const { volumeMounts: _, ...bare } = initializer('https://example.org/x')
    await node.run('p', { containers: [bare] })
    const pod = await node.until('p', inPhase('Failed'))
    expect(firstContainer(pod)?.state?.terminated).toMatchObject({
      reason: 'StartError',
      message: expect.stringContaining('mount a volume at /workspace'),
    })
  })
})
