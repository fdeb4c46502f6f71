import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { inPhase, type TestNode, testNode } from '../testing/test-node.ts'

let node: TestNode
afterEach(() => node?.close())

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
