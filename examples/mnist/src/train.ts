/** What each node of the TrainJob runs. Finds its place and its peers in the environment that the runtime sets. */
import { loadDigits } from './digits.ts'
import { saveModel } from './model.ts'
import { joinRing } from './ring.ts'
import { trainNetwork } from './trainer.ts'

const started = performance.now()
const rank = numberFrom('PET_NODE_RANK', 0)
const world = numberFrom('PET_NNODES', 1)

try {
  console.log(`rank ${rank} of ${world} meets the others`)
  const [ring, { train, test }] = await Promise.all([
    joinRing({
      rank,
      world,
      masterAddress: process.env.PET_MASTER_ADDR ?? '127.0.0.1',
      masterPort: numberFrom('PET_MASTER_PORT', 29500),
    }),
    loadDigits(),
  ])
  const share = Math.ceil((train.labels.length - rank) / world)
  console.log(`trains on ${share} of ${train.labels.length} digits, tests on ${test.labels.length} others`)
  const parameters = await trainNetwork({
    ring,
    train,
    test,
    epochs: numberFrom('EPOCHS', 8),
    globalBatch: numberFrom('GLOBAL_BATCH', 64),
    learningRate: numberFrom('LEARNING_RATE', 0.1),
    seed: numberFrom('SEED', 42),
    onEpoch: ({ epoch, shardLoss, loss, accuracy }) => {
      if (rank === 0) console.log(`epoch=${epoch} loss=${loss.toFixed(4)} accuracy=${accuracy.toFixed(4)}`)
      else console.log(`epoch=${epoch} shard_loss=${shardLoss.toFixed(4)}`)
    },
  })
  await ring.close()
  if (rank === 0) console.log(`model saved: ${await saveModel(process.env.MODEL_DIR ?? 'out', parameters)}`)
  console.log(`done in ${((performance.now() - started) / 1000).toFixed(1)} s`)
} catch (error) {
  console.error(`rank ${rank} stops: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}

function numberFrom(name: string, otherwise: number): number {
  const text = process.env[name] ?? ''
  if (text === '') return otherwise
  const value = Number(text)
  if (Number.isFinite(value)) return value
  console.error(`${name} must be a number, found "${text}"`)
  process.exit(2)
}
