import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { followContainer } from './follow-container.ts'
import { type SimulatedContainer, simulateContainer } from './simulated-container.suite.ts'

type Step = 'start' | 'line' | 'same-time' | 'exit' | 'tell' | 'clean' | 'broken' | 'tick' | 'lag' | 'no-lag'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Follows a container that takes the steps, and hands back what the follower gave out. */
async function followed(container: SimulatedContainer, steps: readonly Step[]): Promise<readonly string[]> {
  const found: string[] = []
  let over = false
  let wake = () => {}
  let done = false
  const follower = followContainer({
    client: container.client,
    pod: container.pod,
    container: 'node',
    latest: () => ({ pod: container.pod, gone: false }),
    isOver: () => over,
    next: () =>
      new Promise((resolve) => {
        wake = resolve
      }),
    emit(text) {
      found.push(text)
      return undefined
    },
    first: {},
    signal: new AbortController().signal,
  }).finally(() => {
    done = true
  })
  follower.catch(() => {})
  let startsUntold = 0
  let lagging = false
  let count = 0
  for (const step of [...steps, 'no-lag', 'tell'] as const) {
    if (step === 'start' && !container.running && startsUntold < 2) {
      container.start()
      startsUntold++
    }
    if ((step === 'line' || step === 'same-time') && container.running) {
      container.write(`line ${count++}`, step === 'same-time')
    }
    if (step === 'exit' && container.running) container.exit()
    if (step === 'clean' || step === 'broken') container.cut(step)
    if (step === 'lag' || step === 'no-lag') {
      lagging = step === 'lag'
      container.lag(lagging)
    }
    if (step === 'tell') {
      container.tell()
      // a container keeps the logs of two starts: what is slower loses one
      if (!lagging) startsUntold = 0
      wake()
    }
    if (step === 'tick') wake()
    await settled()
  }
  container.finish()
  over = true
  for (let turn = 0; !done && turn < 100; turn++) {
    wake()
    await settled()
  }
  await follower
  return found
}

describe('followContainer', () => {
  it.each<[string, Step[]]>([
    ['waits for the start, then streams', ['tick', 'start', 'tell', 'line', 'line']],
    ['reads the last lines of a run whose end is news already', ['start', 'line', 'line', 'exit', 'tell']],
    ['goes on with the next run', ['start', 'tell', 'line', 'exit', 'tell', 'start', 'tell', 'line']],
    ['reads a run that it heard of too late as the previous one', ['start', 'line', 'exit', 'start', 'tell', 'line']],
    ['takes up a log that was cut', ['start', 'tell', 'line', 'same-time', 'clean', 'line', 'tick', 'tick', 'line']],
    [
      'takes up a log whose connection broke',
      ['start', 'tell', 'line', 'same-time', 'broken', 'same-time', 'tick', 'line'],
    ],
    ['has nothing to say of a container that never ran', ['tick', 'tell']],
  ])('%s', async (_, steps) => {
    const container = simulateContainer()
    expect(await followed(container, steps)).toEqual(container.written)
  })

  it('reads a start that was over before the answer to its log came', async () => {
    const container = simulateContainer()
    const steps: Step[] = ['lag', 'start', 'line', 'tell', 'exit', 'start', 'line', 'no-lag', 'line', 'tell', 'line']
    expect((await followed(container, steps)).toSorted()).toEqual(container.written.toSorted())
  })

  it('reads a start again when it began anew before the answer came, also when the answer was empty', async () => {
    const container = simulateContainer()
    const steps: Step[] = ['start', 'line', 'lag', 'exit', 'tell', 'start']
    expect(await followed(container, steps)).toEqual(container.written)
  })

  it('gives every line once, however late the answers come', async () => {
    const step = fc.constantFrom<Step>(
      'start',
      'line',
      'line',
      'same-time',
      'exit',
      'tell',
      'tell',
      'lag',
      'no-lag',
      'tick',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const container = simulateContainer()
        expect((await followed(container, steps)).toSorted()).toEqual(container.written.toSorted())
      }),
      { numRuns: 2000 },
    )
  })

  it('gives every line once and in order, whatever restarts, cuts and late news', async () => {
    const step = fc.constantFrom<Step>(
      'start',
      'line',
      'line',
      'same-time',
      'exit',
      'tell',
      'tell',
      'clean',
      'broken',
      'tick',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const container = simulateContainer()
        expect(await followed(container, steps)).toEqual(container.written)
      }),
      { numRuns: 2000 },
    )
  })
})
