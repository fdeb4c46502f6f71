import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { firstContainer, inPhase, shell, type TestNode, testNode } from '../testing/test-node.ts'

let node: TestNode | undefined
afterEach(async () => {
  await node?.close()
  node = undefined
})

async function terminated(
  script: string,
  more: Parameters<typeof shell>[1] = {},
  options: { workspace?: string } = {},
) {
  node = await testNode(options)
  await node.run('p', {
    volumes: [{ name: 'v', emptyDir: {} }],
    containers: shell(script, more),
  })
  const pod = await node.until('p', (p) => inPhase('Succeeded')(p) || inPhase('Failed')(p))
  return firstContainer(pod)?.state?.terminated
}

describe('what a container says about its end', () => {
  it('stands in /dev/termination-log, by the command or by an env variable', async () => {
    const env = [{ name: 'TORCHELASTIC_ERROR_FILE', value: '/dev/termination-log' }]
    expect(await terminated('echo rank 3 ran out of data > $TORCHELASTIC_ERROR_FILE; exit 3', { env })).toMatchObject({
      exitCode: 3,
      reason: 'Error',
      message: 'rank 3 ran out of data\n',
    })
  })

  it('stands where the container says, in a volume too', async () => {
    const volumeMounts = [{ name: 'v', mountPath: '/results' }]
    const terminationMessagePath = '/results/why'
    expect(
      await terminated('cd /results; echo converged > why', { volumeMounts, terminationMessagePath }),
    ).toMatchObject({ exitCode: 0, reason: 'Completed', message: 'converged\n' })
  })

  it('is nothing that stood in the project before', async () => {
    const workspace = mkdtempSync(join(tmpdir(), 'tj-message-'))
    try {
      writeFileSync(join(workspace, 'train.py'), 'print(1)')
      const more = { terminationMessagePath: '/workspace/train.py' }
      expect((await terminated('exit 1', more, { workspace }))?.message).toBeUndefined()
    } finally {
      rmSync(workspace, { recursive: true })
    }
  })

  it('is cut after 4096 bytes', async () => {
    expect((await terminated('head -c 10000 /dev/zero | tr "\\0" x > /dev/termination-log'))?.message).toBe(
      'x'.repeat(4096),
    )
  })

  it('is the end of the log where the policy says so and nothing was written', async () => {
    const terminationMessagePolicy = 'FallbackToLogsOnError'
    const script = 'seq 1 1000; echo Traceback >&2; exit 1'
    const message = (await terminated(script, { terminationMessagePolicy }))?.message ?? ''
    expect(message.split('\n').slice(-4)).toEqual(['999', '1000', 'Traceback', ''])
    expect(message.split('\n')).toHaveLength(81)
  })

  it.each([
    ['the container succeeded', 'echo fine', 'FallbackToLogsOnError'],
    ['the policy does not say so', 'echo bad; exit 1', 'File'],
  ] as const)('is not the log when %s', async (_, script, terminationMessagePolicy) => {
    expect((await terminated(script, { terminationMessagePolicy }))?.message).toBeUndefined()
  })

  it('names the signal that ended it', async () => {
    expect(await terminated('kill -SEGV $$$$')).toMatchObject({ exitCode: 139, signal: 11, reason: 'Error' })
  })
})
