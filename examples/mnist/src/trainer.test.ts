import { createServer } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Digits, loadDigits, PIXELS, shardOf } from './digits.ts'
import { permutation, seededRandom } from './random.ts'
import { joinRing, type Ring } from './ring.ts'
import { listen } from './socket.ts'
import { trainNetwork } from './trainer.ts'

const SEED = 42
let digits: { train: Digits; test: Digits }
beforeAll(async () => {
  digits = await loadDigits()
})

describe('training on several ranks', () => {
  it('ends with the weights that one rank reaches at the same global batch', async () => {
    const few = first(digits.train, 1600)
    const [alone] = await trainOn(1, () => few)
    const together = await trainOn(4, () => few)
    for (const weights of together) expect(largestDifference(weights, alone as Float64Array)).toBeLessThan(1e-4)
  })

  it('gives every rank the same weights, to the last bit', async () => {
    const [zero, ...others] = await trainOn(4, () => first(digits.train, 640))
    for (const weights of others) expect(Buffer.compare(bytes(weights), bytes(zero as Float64Array))).toBe(0)
  })

  it('changes the weights of every rank when the shard of one rank changes', async () => {
    const few = first(digits.train, 640)
    const spoilt: Digits = { ...few, labels: few.labels.map((label) => (label + 1) % 10) }
    const before = await trainOn(4, () => few)
    const after = await trainOn(4, (rank) => (rank === 3 ? spoilt : few))
    after.forEach((weights, rank) => {
      expect(largestDifference(weights, before[rank] as Float64Array)).toBeGreaterThan(1e-3)
    })
  })

  it('recognises at least 93 % of digits it was not trained on', async () => {
    const [ring] = await ringOf(1)
    let accuracy = 0
    await trainNetwork({
      ...digits,
      ring: ring as Ring,
      epochs: 8,
      globalBatch: 64,
      learningRate: 0.1,
      seed: SEED,
      onEpoch: (report) => {
        accuracy = report.accuracy
      },
    })
    expect(accuracy).toBeGreaterThanOrEqual(0.93)
  })

  it('stops all ranks, naming the one that left, when the ring is cut', async () => {
    const rings = await ringOf(4)
    const running = rings.slice(0, 3).map((ring) => ring.allReduce(new Float64Array(1000)))
    const leaving = rings[3]?.close()
    const outcomes = await Promise.allSettled(running)
    await leaving
    const messages = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'went on'))
    expect(messages[0]).toContain('rank 3 left the ring')
    expect(messages).not.toContain('went on')
  })

  it('refuses a global batch that cannot be split evenly', async () => {
    const ring: Ring = { rank: 0, world: 3, allReduce: async () => {}, close: async () => {} }
    const options = { ...digits, ring, epochs: 1, globalBatch: 64, learningRate: 0.05, seed: SEED }
    await expect(trainNetwork(options)).rejects.toThrow('GLOBAL_BATCH must be a multiple of the 3 nodes, found 64')
  })
})

describe('the data', () => {
  it('keeps test digits out of the training digits', () => {
    const key = (set: Digits, n: number) =>
      Buffer.from(set.pixels.slice(n * PIXELS, (n + 1) * PIXELS).buffer).toString('base64')
    const trained = new Set(Array.from(digits.train.labels.keys(), (n) => key(digits.train, n)))
    const leaked = Array.from(digits.test.labels.keys()).filter((n) => trained.has(key(digits.test, n)))
    expect(digits.train.labels.length + digits.test.labels.length).toBe(10_000)
    expect(leaked).toEqual([])
  })

  it.each([1, 2, 3, 4])('splits an order over %i ranks so that each digit is in one shard', (world) => {
    const order = permutation(101, seededRandom(1))
    const shards = Array.from({ length: world }, (_, rank) => Array.from(shardOf(order, rank, world)))
    expect(shards.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 101 }, (_, n) => n))
  })
})

async function trainOn(world: number, train: (rank: number) => Digits): Promise<Float64Array[]> {
  const rings = await ringOf(world)
  const test = first(digits.test, 40)
  return Promise.all(
    rings.map(async (ring) => {
      const options = {
        ring,
        train: train(ring.rank),
        test,
        epochs: 2,
        globalBatch: 64,
        learningRate: 0.05,
        seed: SEED,
      }
      const weights = await trainNetwork(options)
      await ring.close()
      return weights
    }),
  )
}

async function ringOf(world: number): Promise<Ring[]> {
  const masterPort = await freePort()
  return Promise.all(
    Array.from({ length: world }, (_, rank) => joinRing({ rank, world, masterAddress: '127.0.0.1', masterPort })),
  )
}

async function freePort(): Promise<number> {
  const server = createServer()
  await listen(server, 0)
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

function first(set: Digits, count: number): Digits {
  return { pixels: set.pixels.subarray(0, count * PIXELS), labels: set.labels.subarray(0, count) }
}

function largestDifference(a: Float64Array, b: Float64Array): number {
  return a.reduce((largest, value, index) => Math.max(largest, Math.abs(value - (b[index] as number))), 0)
}

function bytes(values: Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}
