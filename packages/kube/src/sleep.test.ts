import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { sleep } from './sleep.ts'
import { fakeClock } from './testing/fake-clock.ts'

test('sleeps as long as the clock says', async () => {
  const clock = fakeClock()
  let awake = false
  const sleeping = sleep(clock, 1000, new AbortController().signal).then(() => {
    awake = true
  })
  await clock.advance(999)
  expect(awake).toBe(false)
  await clock.advance(1)
  await sleeping
})

test('wakes when the signal aborts, and leaves no timer behind', async () => {
  const clock = fakeClock()
  const stop = new AbortController()
  const sleeping = sleep(clock, 1000, stop.signal)
  stop.abort()
  await sleeping
  expect(clock.pending).toBe(0)
  await sleep(clock, 1000, stop.signal)
  expect(clock.pending).toBe(0)
})

test('keeps the process alive until it wakes', async () => {
  const { href } = new URL('./index.ts', import.meta.url)
  const program = `
    const { sleep, systemClock } = await import(${JSON.stringify(href)})
    await sleep(systemClock, 20, new AbortController().signal)
    console.log('awake')
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  expect(stdout).toBe('awake\n')
})
