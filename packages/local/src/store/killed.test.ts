import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteStore } from './sqlite.ts'
import { type Operation, operations } from './testing/operations.ts'

const WRITER = fileURLToPath(new URL('./testing/writer.ts', import.meta.url))

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tj-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

interface Told {
  /** How many operations were handed to the store. */
  issued: number
  /** How many of them, the first ones, the store said to be safe. */
  acknowledged: number
  /** The last version that was seen. */
  version: number
}

/** Runs a writer on a file and kills it, after a number of acknowledgements and some more time. */
async function writeUntilKilled(file: string, seed: number, after: number, moreMs: number): Promise<Told> {
  const child = spawn(process.execPath, [WRITER, file, String(seed)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  let asked = false
  let timer: NodeJS.Timeout | undefined
  const kill = () => child.kill('SIGKILL')
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', () => resolve())
      child.stdout.on('data', (chunk) => {
        text += chunk
        if (asked || (text.match(/^a/gm) ?? []).length < after) return
        asked = true
        timer = setTimeout(kill, moreMs)
      })
    })
  } finally {
    clearTimeout(timer)
    kill()
  }
  const told: Told = { issued: 0, acknowledged: 0, version: 0 }
  // the last line may be half of one
  for (const line of text.split('\n').slice(0, -1)) {
    const [what, ...numbers] = line.split(' ')
    const [count = 0, version = 0] = numbers.map(Number)
    if (what === 'i') told.issued = count
    else told.acknowledged = count
    told.version = Math.max(told.version, version)
  }
  return told
}

function apply(model: Map<string, string>, { type, key, text }: Operation): void {
  if (type === 'delete') model.delete(key)
  else model.set(key, text)
}

it('a store whose process is killed at any moment holds what was acknowledged, and a beginning of the rest', async () => {
  let run = 0
  let survived = 0
  await fc.assert(
    fc.asyncProperty(
      fc.integer(),
      fc.array(fc.record({ after: fc.nat(60), moreMs: fc.nat(4) }), { minLength: 1, maxLength: 3 }),
      async (seed, kills) => {
        const file = join(dir, `${run++}.db`)
        let model = new Map<string, string>()
        let lastVersion = 0
        for (const [round, { after, moreMs }] of kills.entries()) {
          const told = await writeUntilKilled(file, seed + round, after, moreMs)
          const store = await openSqliteStore(file)
          const found = new Map(
            store
              .list('configmaps')
              .items.map(({ metadata }) => [metadata.name ?? '', metadata.annotations?.text ?? '']),
          )
          expect(store.version).toBeGreaterThanOrEqual(told.version)
          expect(store.version).toBeGreaterThan(lastVersion)
          lastVersion = store.version
          await store.close()

          const stream = operations(seed + round, model)
          let matching = false
          for (let done = 0; done <= told.issued; done++) {
            if (done >= told.acknowledged && same(model, found)) {
              matching = true
              break
            }
            // what an operation is depends on what there was before
            const { value } = stream.next()
            if (value !== undefined) apply(model, value)
          }
          if (!matching) {
            expect({ acknowledged: told.acknowledged, issued: told.issued, found }).toBe('a state between these')
          }
          survived += told.acknowledged
          model = found
        }
      },
    ),
    { numRuns: 12 },
  )
  expect(survived).toBeGreaterThan(100)
}, 120_000)

function same(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, text]) => b.get(key) === text)
}
