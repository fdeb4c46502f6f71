import { describe, expect, it } from 'vitest'
import { createChannel } from './channel.ts'

async function collect<T>(channel: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const value of channel) found.push(value)
  return found
}

describe('a channel', () => {
  it('hands out what was pushed before and after the reader came, until it is closed', async () => {
    const channel = createChannel<number>()
    channel.push(1)
    const reading = collect(channel)
    await Promise.resolve()
    channel.push(2)
    channel.push(3)
    channel.close()
    channel.push(4)
    expect(await reading).toEqual([1, 2, 3])
  })

  it('hands out what was pushed, then the error', async () => {
    const channel = createChannel<number>()
    channel.push(1)
    channel.fail(new Error('gone'))
    const iterator = channel[Symbol.asyncIterator]()
    expect(await iterator.next()).toEqual({ value: 1, done: false })
    await expect(iterator.next()).rejects.toThrow('gone')
  })

  it('lets producers wait for a slow reader', async () => {
    const channel = createChannel<number>(2)
    expect(channel.push(1)).toBeUndefined()
    let room = false
    const waiting = channel.push(2)?.then(() => {
      room = true
    })
    await Promise.resolve()
    expect(room).toBe(false)
    const iterator = channel[Symbol.asyncIterator]()
    await iterator.next()
    await iterator.next()
    await waiting
    expect(room).toBe(true)
  })

  it('lets producers go when the reader leaves', async () => {
    const channel = createChannel<number>(1)
    const waiting = channel.push(1)
    for await (const _ of channel) break
    await waiting
    expect(channel.push(2)).toBeUndefined()
  })
})
