import { DRAIN_MS } from '../process/child-output.ts'

/**
 * What the spawner runs (CommonJS, Node). It talks with the engine through file descriptor 3: requests are lines of
 * JSON, answers are frames of a kind, the request's id, a length (a byte and two numbers of four bytes, little-endian)
 * and that many bytes. When the engine is gone, however it ended, so are the process groups that were started here.
 *
 * A request is `{ id, argv, cwd, env }`, which starts a process in a session of its own. The kinds: `r` ready; `s`
 * started, with its process id, or `f` failed, with the error; `o` and `e` output; `x` exit, with code and signal; `c`
 * nothing more will come, which is said, too, when somebody else holds the pipes and is quiet.
 */
export const SPAWNER_SCRIPT: string = `
const { spawn } = require('node:child_process')
const { Socket } = require('node:net')
const engine = new Socket({ fd: 3 })
const live = new Map()
let corked = false
let full = false
const uncork = () => {
  corked = false
  engine.uncork()
}
const send = (kind, id, bytes) => {
  if (!corked) {
    corked = true
    engine.cork()
    setImmediate(uncork)
  }
  const head = Buffer.allocUnsafe(9)
  head[0] = kind.charCodeAt(0)
  head.writeUInt32LE(id, 1)
  head.writeUInt32LE(bytes.length, 5)
  engine.write(head)
  if (engine.write(bytes) || full) return
  full = true
  for (const { child } of live.values()) pauseOrNot(child)
}
const tell = (kind, id, value) => send(kind, id, Buffer.from(JSON.stringify(value)))
const pauseOrNot = (child) => {
  for (const stream of [child.stdout, child.stderr]) full ? stream.pause() : stream.resume()
}
engine.on('drain', () => {
  full = false
  for (const { child } of live.values()) pauseOrNot(child)
})
const end = (pid) => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {}
}
const closeWhenQuiet = (entry) => {
  const { child, chunks } = entry
  // after a stall the timer is due before what lies in the pipes was read
  const look = () => setImmediate(() => {
    if (full || entry.chunks !== chunks) return closeWhenQuiet(entry)
    child.stdout.destroy()
    child.stderr.destroy()
  })
  entry.timer = setTimeout(look, ${DRAIN_MS})
}
const start = ({ id, argv: [program, ...args], cwd, env }) => {
  let child
  try {
    child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  } catch ({ code, message }) {
    return tell('f', id, { code, message })
  }
  const { pid } = child
  if (pid === undefined) return child.once('error', ({ code, message }) => tell('f', id, { code, message }))
  const entry = { child, pid, chunks: 0 }
  live.set(id, entry)
  tell('s', id, pid)
  child.on('error', () => {})
  const pass = (kind) => (chunk) => {
    entry.chunks++
    send(kind, id, chunk)
  }
  child.stdout.on('data', pass('o'))
  child.stderr.on('data', pass('e'))
  if (full) pauseOrNot(child)
  child.once('exit', (code, signal) => {
    end(pid)
    entry.pid = undefined
    tell('x', id, { code, signal })
    closeWhenQuiet(entry)
  })
  child.once('close', () => {
    clearTimeout(entry.timer)
    live.delete(id)
    tell('c', id, null)
  })
}
let rest = ''
engine.setEncoding('utf8')
engine.on('data', (text) => {
  const lines = (rest + text).split('\\n')
  rest = lines.pop()
  for (const line of lines) start(JSON.parse(line))
})
engine.on('error', () => {})
engine.on('close', () => {
  for (const { pid } of live.values()) if (pid !== undefined) end(pid)
  process.exit()
})
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => {})
tell('r', 0, null)
`
