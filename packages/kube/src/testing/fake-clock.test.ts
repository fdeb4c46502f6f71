import { expect, test } from 'vitest'
import { fakeClock } from './fake-clock.ts'

test('timers fire in order of time, then of setting, each at its own time', async () => {
  const clock = fakeClock(1000)
  const fired: string[] = []
  clock.after(20, () => fired.push(`b ${clock.now()}`))
  clock.after(10, () => fired.push(`a ${clock.now()}`))
  clock.after(20, () => fired.push(`c ${clock.now()}`))
  const cancel = clock.after(15, () => fired.push('never'))
  cancel()
  await clock.advance(20)
  expect(fired).toEqual(['a 1010', 'b 1020', 'c 1020'])
  expect(clock.pending).toBe(0)
})

test('promises and the timers they set settle at the time they belong to', async () => {
  const clock = fakeClock(0)
  const fired: number[] = []
  const tick = async () => {
    while (fired.length < 3) {
      await new Promise<void>((resolve) => clock.after(10, resolve))
      fired.push(clock.now())
    }
  }
  const ticking = tick()
  await clock.advance(100)
  await ticking
  expect(fired).toEqual([10, 20, 30])
  expect(clock.now()).toBe(100)
})

test('next goes to the next timer, if it is near', async () => {
  const clock = fakeClock(0)
  clock.after(5000, () => {})
  expect(await clock.next(1000)).toBe(false)
  expect(await clock.next()).toBe(true)
  expect(clock.now()).toBe(5000)
  expect(await clock.next()).toBe(false)
})
