import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createInputQueue } from './input-queue.ts'

it('hands over every chunk in order, whenever it comes', async () => {
  const step = fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.constant('wait' as const))
  await fc.assert(
    fc.asyncProperty(fc.array(step), async (steps) => {
      const queue = createInputQueue(() => {})
      const read: number[] = []
      const reading = (async () => {
        for await (const chunk of queue) read.push(...chunk)
      })()
      for (const one of steps) {
        if (one === 'wait') await Promise.resolve()
        else queue.push(one)
      }
      queue.end()
      queue.push(Uint8Array.of(1))
      await reading
      expect(read).toEqual(steps.flatMap((one) => (one === 'wait' ? [] : [...one])))
    }),
  )
})

it('says when too much waits, and when it was read', async () => {
  const told: boolean[] = []
  const queue = createInputQueue((full) => told.push(full))
  for (let count = 0; count < 5; count++) queue.push(new Uint8Array(100_000))
  expect(told).toEqual([true])
  queue.end()
  for await (const _ of queue);
  expect(told).toEqual([true, false])
})
