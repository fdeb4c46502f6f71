/** One write of a test. */
export interface Operation {
  readonly type: 'create' | 'update' | 'delete'
  readonly key: string
  readonly text: string
}

const KEYS = 12

/**
 * An endless stream of writes that follows from the seed and from what there is: `present` must have taken each
 * operation when the next one is asked for.
 */
export function* operations(seed: number, present: Pick<ReadonlyMap<string, string>, 'has'>): Generator<Operation> {
  const random = randomFrom(seed)
  for (let count = 0; ; count++) {
    const key = `k${random() % KEYS}`
    // large texts span pages of the file, so that a kill can come between them
    const text = `${count}:${'x'.repeat(random() % 3 === 0 ? random() % 20_000 : 10)}`
    const type = !present.has(key) ? 'create' : random() % 3 === 0 ? 'delete' : 'update'
    yield { type, key, text }
  }
}

/** Numbers of 31 bits, always the same ones for a seed (xorshift). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 1
  }
}
