import { afterEach, describe, expect, it } from 'vitest'
import type { OpenedTerminal } from './opened-stream.ts'
import { spdyTerminal } from './spdy-terminal.ts'
import type { Streams } from './stream-source.ts'
import type { TerminalSize } from './terminal-link.ts'
import { serveTerminal } from './terminal-session.ts'
import { type SpdyClient, spdyClient } from './testing/spdy-client.ts'

let client: SpdyClient
afterEach(() => client.close())

/** Serves `run` to a new client. */
function serve(ways: Partial<OpenedTerminal>, run: (streams: Streams) => Promise<{ code: number }>): Promise<void> {
  client = spdyClient()
  const opened = { kind: 'exec', stdin: false, stdout: true, stderr: false, tty: false, ...ways, run } as const
  return spdyTerminal(client.link, opened).then(async (terminal) => {
    if (terminal !== undefined) await serveTerminal(terminal, opened)
  })
}

const open = (streamtype: string) => client.open({ streamtype })

describe('a command over SPDY', () => {
  it('has a stream for each way, and tells how it ended', async () => {
    const served = serve({ stdin: true, stderr: true }, async ({ stdin = [], onOutput }) => {
      for await (const chunk of stdin) await onOutput('stdout', chunk)
      await onOutput('stderr', Buffer.from('over'))
      return { code: 3 }
    })
    const error = await open('error')
    const stdin = await open('stdin')
    const stdout = await open('stdout')
    const stderr = await open('stderr')
    stdin.send('to ')
    stdin.send('and fro', true)
    await Promise.all([stdout.ended, stderr.ended, error.ended])
    expect([stdout.text(), stderr.text()]).toEqual(['to and fro', 'over'])
    expect(JSON.parse(error.text())).toMatchObject({
      reason: 'NonZeroExitCode',
      details: { causes: [{ message: '3' }] },
    })
    await served
  })

  it("has a terminal of its user's size", async () => {
    const seen: TerminalSize[] = []
    const served = serve({ tty: true }, async ({ terminal = [] }) => {
      for await (const size of terminal) {
        seen.push(size)
        if (size.columns === 3) break
      }
      return { code: 0 }
    })
    await open('error')
    await open('stdout')
    const resize = await open('resize')
    resize.send('{"Width":1,"Height":2}\n')
    resize.send('nonsense')
    resize.send('{"Width":3,"Height":4}\n')
    await served
    expect(seen.at(-1)).toEqual({ columns: 3, rows: 4 })
  })

  it('does not begin before all of its streams are there', async () => {
    let begun = false
    const served = serve({ stdin: true }, async () => {
      begun = true
      return { code: 0 }
    })
    await (await open('error')).replied
    const twice = await open('error')
    expect(await twice.ended).toBe(5)
    client.close()
    await served
    expect(begun).toBe(false)
  })

  it('hears that its user has gone', async () => {
    let begin: () => void = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const served = serve({}, async ({ signal }) => {
      begin()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { code: 0 }
    })
    await open('error')
    await open('stdout')
    await begun
    client.close()
    await served
  })
})
