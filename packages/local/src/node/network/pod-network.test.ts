import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pod } from '@trainjob/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inPhase, type TestNode, testNode } from '../testing/test-node.ts'
import { createPodNetwork, type PodNetwork, type PodSeat } from './pod-network.ts'

let node: TestNode
afterEach(() => node?.close())

describe('a seat in the network', () => {
  const pod = (name: string, index: number, uid = 'set-1'): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'ml',
      uid: name,
      labels: { 'jobset.sigs.k8s.io/jobset-name': 'm', 'jobset.sigs.k8s.io/jobset-uid': uid },
    },
    spec: { hostname: `m-node-0-${index}`, subdomain: 'm', containers: [] },
  })
  let dir: string
  let network: PodNetwork
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'trainjob-net-'))
    network = createPodNetwork({ dir, platform: 'linux', random: () => 0.5, onNote: () => {} })
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))
  const resolve = async (seat: PodSeat, value: string) => {
    const { env } = await seat.connect({ env: new Map([['PEER', value]]), argv: [] })
    return env.get('PEER')
  }

  it('has the address that others were told before it was taken', async () => {
    const first = network.join(pod('a', 1))
    const told = await resolve(first, 'm-node-0-0.m')
    expect(network.join(pod('b', 0)).ip).toBe(told)
  })

  it('keeps the address for a pod that is created again', async () => {
    network.join(pod('a', 1))
    const before = network.join(pod('b', 0))
    before.leave()
    expect(network.join(pod('c', 0)).ip).toBe(before.ip)
  })

  it('shares nothing with a job of the same name that is still ending', () => {
    expect(network.join(pod('a', 0, 'set-2')).ip).not.toBe(network.join(pod('b', 0)).ip)
  })

  it('writes a hosts file that grows', async () => {
    const seat = network.join(pod('a', 0))
    const file = seat.hostsFile()
    expect(readFileSync(file, 'utf8')).toContain(
      `${seat.ip}\tm-node-0-0.m.ml.svc.cluster.local m-node-0-0.m.ml.svc m-node-0-0.m.ml m-node-0-0.m m-node-0-0\n`,
    )
    const peer = network.join(pod('b', 1))
    expect(readFileSync(file, 'utf8')).toContain(`${peer.ip}\tm-node-0-1.m.ml.svc.cluster.local`)
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
    for (const job of ['a', 'b']) await node.until(`${job}-node-0-1-abcde`, inPhase('Succeeded'))
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
      await node.until('c-node-0-1-abcde', inPhase('Succeeded'))
      expect(await node.logs('c-node-0-1-abcde')).toMatch(/^from c (?!29511)/)
    } finally {
      other.close()
    }
  })

  it('gives the port back with the last pod of the job', async () => {
    node = await testNode()
    for (const index of [0, 1]) await rank('d', index)
    await node.until('d-node-0-1-abcde', inPhase('Succeeded'))
    await node.until('d-node-0-0-abcde', inPhase('Succeeded'))
    for (const index of [0, 1]) await rank('e', index)
    await node.until('e-node-0-1-abcde', inPhase('Succeeded'))
    expect(await node.logs('e-node-0-1-abcde')).toBe('from e 29511\n')
  })
})
