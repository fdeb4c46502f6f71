/** A seeded generator of numbers in [0, 1): the same seed gives the same training run on any number of nodes (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** 0 … length − 1 in random order (Fisher–Yates). */
export function permutation(length: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length }, (_, index) => index)
  for (let last = length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const swapped = order[last] as number
    order[last] = order[other] as number
    order[other] = swapped
  }
  return order
}
