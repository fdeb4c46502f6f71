import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Container, Nodes, type Pod } from '@trainjob/api'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inPhase, shell, type TestNode, testNode } from '../testing/test-node.ts'
import { detectDevices } from './detect-devices.ts'
import { createDeviceBook } from './device-book.ts'

let bin: string
let node: TestNode | undefined
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'tj-devices-'))
})
afterEach(async () => {
  await node?.close()
  node = undefined
  rmSync(bin, { recursive: true })
})

/** A vendor's tool that says this. */
function tool(name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, name), 0o755)
}

const FOUR_GPUS = `[ "$1" = --list-gpus ] || exit 2
for i in 0 1 2 3; do echo "GPU $i: NVIDIA H100 80GB HBM3 (UUID: GPU-0000000$i-aaaa)"; done`
const env = (more: Record<string, string> = {}) => ({ PATH: `${bin}:/usr/bin:/bin`, ...more })
const forever = new AbortController().signal

describe('devices of the machine', () => {
  it.each([
    ['every GPU that nvidia-smi lists', 'nvidia-smi', FOUR_GPUS, {}, { 'nvidia.com/gpu': ['0', '1', '2', '3'] }],
    [
      'those that the engine itself may see',
      'nvidia-smi',
      FOUR_GPUS,
      { CUDA_VISIBLE_DEVICES: '3, 1' },
      { 'nvidia.com/gpu': ['1', '3'] },
    ],
    [
      'every card that rocm-smi lists',
      'rocm-smi',
      `echo '{"card0": {"GPU ID": "0x740f"}, "card1": {"GPU ID": "0x740f"}}'`,
      {},
      { 'amd.com/gpu': ['0', '1'] },
    ],
    ['none when the tool fails', 'nvidia-smi', `${FOUR_GPUS}; exit 9`, {}, {}],
    ['none when there is no tool', 'other', 'true', {}, {}],
  ])('are %s', async (_, name, script, more, expected) => {
    tool(name, script)
    expect(await detectDevices(env(more), forever)).toEqual(expected)
  })
})

describe('a node with GPUs', () => {
  const SHOW = 'echo "[$CUDA_VISIBLE_DEVICES] [$NVIDIA_VISIBLE_DEVICES] $CUDA_DEVICE_ORDER"'
  const wants = (gpus: number) => ({ resources: { limits: { 'nvidia.com/gpu': String(gpus) } } })
  const start = async (): Promise<TestNode> => {
    tool('nvidia-smi', FOUR_GPUS)
    const started = await testNode({ env: env() })
    expect(await started.agent.capacity()).toMatchObject({ 'nvidia.com/gpu': '4' })
    return started
  }

  it('counts them, and shows each pod its own', async () => {
    node = await start()
    const { status } = await node.client.get(Nodes, { name: 'local' })
    expect(status?.allocatable).toMatchObject({ 'nvidia.com/gpu': '4' })
    await node.run('a', { containers: shell(`${SHOW}; sleep 100`, wants(2)) })
    await node.until('a', inPhase('Running'))
    await node.run('b', { containers: shell(SHOW, wants(2)) })
    await node.run('none', { containers: shell(SHOW) })
    for (const name of ['b', 'none']) await node.until(name, inPhase('Succeeded'))
    await expect.poll(() => node?.logs('a')).toBe('[0,1] [0,1] PCI_BUS_ID\n')
    expect(await node.logs('b')).toBe('[2,3] [2,3] PCI_BUS_ID\n')
    expect(await node.logs('none')).toBe('[] [void] PCI_BUS_ID\n')
  })

  it('keeps a container waiting while others have them, and lets a pod choose by itself', async () => {
    node = await start()
    await node.run('a', { containers: shell('sleep 100', wants(4)) })
    await node.until('a', inPhase('Running'))
    await node.run('b', { containers: shell(SHOW, wants(1)) })
    const waiting = await node.until(
      'b',
      (pod) => pod.status?.containerStatuses?.[0]?.state?.waiting?.message !== undefined,
    )
    expect(waiting.status?.containerStatuses?.[0]?.state?.waiting?.message).toContain(
      'all nvidia.com/gpu of this machine',
    )
    await node.run('own', { containers: shell(SHOW, { env: [{ name: 'CUDA_VISIBLE_DEVICES', value: '7' }] }) })
    await node.until('own', inPhase('Succeeded'))
    expect(await node.logs('own')).toContain('[7]')
  })
})

describe('the book of devices', () => {
  const container = (name: string, gpus: number): Container => ({
    name,
    resources: { limits: { 'nvidia.com/gpu': gpus } },
  })

  it('lets init containers use what the main ones will have', () => {
    const book = createDeviceBook()
    book.offer({ 'nvidia.com/gpu': ['0', '1'] })
    const [check, train, watch] = [container('check', 2), container('train', 1), container('watch', 1)]
    const pod = {
      metadata: { uid: 'u' },
      spec: { initContainers: [check], containers: [train, watch] },
    } as unknown as Pod
    expect(book.assign(pod, check)).toMatchObject({ value: { 'nvidia.com/gpu': ['0', '1'] } })
    expect(book.assign(pod, train)).toMatchObject({ value: { 'nvidia.com/gpu': ['0'] } })
    expect(book.assign(pod, watch)).toMatchObject({ value: { 'nvidia.com/gpu': ['1'] } })
    expect(book.assign(pod, train)).toMatchObject({ value: { 'nvidia.com/gpu': ['0'] } })
  })

  it('never gives one device to two pods', () => {
    const step = fc.record({ uid: fc.nat(5), gpus: fc.nat(3), leaves: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const book = createDeviceBook()
        book.offer({ 'nvidia.com/gpu': ['0', '1', '2', '3'] })
        const held = new Map<string, readonly string[]>()
        for (const { uid, gpus, leaves } of steps) {
          const key = `u${uid}`
          if (leaves) {
            book.release(key)
            held.delete(key)
            continue
          }
          const wanted = container('node', gpus)
          const pod = { metadata: { uid: key }, spec: { containers: [wanted] } } as unknown as Pod
          const free = 4 - [...held].reduce((sum, [other, ids]) => sum + (other === key ? 0 : ids.length), 0)
          const answer = book.assign(pod, wanted)
          if (answer.ok) held.set(key, answer.value['nvidia.com/gpu'] ?? [])
          else expect(free).toBeLessThan(gpus)
          const all = [...held.values()].flat()
          expect(new Set(all).size).toBe(all.length)
        }
      }),
    )
  })
})
