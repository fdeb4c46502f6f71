import { type Digits, shardOf } from './digits.ts'
import { evaluate, initialParameters, PARAMETERS, type Score } from './network.ts'
import { permutation, seededRandom } from './random.ts'
import type { Ring } from './ring.ts'

export interface TrainingOptions {
  readonly ring: Ring
  readonly train: Digits
  readonly test: Digits
  readonly epochs: number
  /** Digits in one step over all ranks together; a multiple of the number of ranks. */
  readonly globalBatch: number
  /** At the first step; it falls to zero in a straight line. */
  readonly learningRate: number
  readonly seed: number
  readonly onEpoch?: (report: EpochReport) => void
}

export interface EpochReport {
  readonly epoch: number
  /** Mean loss over the digits of this rank's shard. */
  readonly shardLoss: number
  /** Mean loss over all digits trained on, in this epoch. */
  readonly loss: number
  /** Share of the test digits recognised. */
  readonly accuracy: number
}

const MOMENTUM = 0.9

/** Trains on this rank's shards, in step with all other ranks; every rank ends with the same parameters. */
export async function trainNetwork(options: TrainingOptions): Promise<Float64Array> {
  const { ring, train, test, globalBatch } = options
  const localBatch = globalBatch / ring.world
  if (!Number.isInteger(localBatch)) {
    throw new Error(`GLOBAL_BATCH must be a multiple of the ${ring.world} nodes, found ${globalBatch}`)
  }
  const parameters = initialParameters(options.seed)
  const velocity = new Float64Array(PARAMETERS)
  const steps = Math.floor(train.labels.length / globalBatch)
  const testShard = shardOf(Uint32Array.from(test.labels.keys()), ring.rank, ring.world)

  for (let epoch = 1; epoch <= options.epochs; epoch++) {
    const order = permutation(train.labels.length, seededRandom(options.seed + epoch))
    const shard = shardOf(order, ring.rank, ring.world)
    const total: Score = { loss: 0, correct: 0 }
    for (let step = 0; step < steps; step++) {
      const learningRate = options.learningRate * (1 - ((epoch - 1) * steps + step) / (options.epochs * steps))
      const gradient = new Float64Array(PARAMETERS)
      const batch = shard.subarray(step * localBatch, (step + 1) * localBatch)
      total.loss += evaluate(parameters, train, batch, gradient).loss
      await ring.allReduce(gradient)
      for (let i = 0; i < PARAMETERS; i++) {
        const change = MOMENTUM * (velocity[i] as number) - (learningRate * (gradient[i] as number)) / globalBatch
        velocity[i] = change
        parameters[i] = (parameters[i] as number) + change
      }
    }
    const sums = Float64Array.of(total.loss, evaluate(parameters, test, testShard).correct)
    await ring.allReduce(sums)
    options.onEpoch?.({
      epoch,
      shardLoss: total.loss / (steps * localBatch),
      loss: (sums[0] as number) / (steps * globalBatch),
      accuracy: (sums[1] as number) / test.labels.length,
    })
  }
  return parameters
}
