/**
 * What stands in for sshd in the workers of an MPI job. Arguments: address and port at which readiness is
 * probed, then the sockets to serve. Each connection sends one line of JSON, `{command}`, and gets lines back: `{out}` and `{err}`
 * in base64, at last `{code}`. The command runs beside the server: same files, same environment, same devices.
 */
export const SERVER_SCRIPT: string = `
const { spawn } = require('node:child_process')
const { rmSync } = require('node:fs')
const net = require('node:net')
const { constants } = require('node:os')
const [address, port, ...paths] = process.argv.slice(2)

function serve(socket) {
  let child
  let text = ''
  const tell = (line) => socket.writable && socket.write(JSON.stringify(line) + '\\n')
  socket.setEncoding('utf8')
  socket.on('error', () => {})
  // whoever asked is gone
  socket.on('close', () => child && process.kill(-child.pid, 'SIGTERM'))
  socket.on('data', (chunk) => {
    text += chunk
    if (child || !text.includes('\\n')) return
    const { command } = JSON.parse(text)
    child = spawn('/bin/sh', ['-c', command], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (data) => tell({ out: data.toString('base64') }))
    child.stderr.on('data', (data) => tell({ err: data.toString('base64') }))
    child.once('close', (code, signal) => {
      child = undefined
      tell({ code: code ?? 128 + constants.signals[signal] })
      socket.end()
    })
  })
}

let waiting = paths.length
for (const path of paths) {
  rmSync(path, { force: true })
  net.createServer(serve).listen(path, () => {
    if (--waiting > 0) return
    // where all pods have one address, the first of them answers for all
    net.createServer((probe) => probe.on('error', () => {}).end()).on('error', () => {}).listen(Number(port), address)
  })
}
process.on('SIGTERM', () => process.exit(0))
`

/**
 * What stands in for ssh: `[options] [user@]host command…`. The environment says by which path the sockets of the job
 * begin, and the pod's own names: Open MPI starts its daemons there through ssh as well, because the pod's address
 * is none of this machine's interfaces.
 */
export const CLIENT_SCRIPT: string = `
const { spawn } = require('node:child_process')
const { createHash } = require('node:crypto')
const { mkdirSync } = require('node:fs')
const net = require('node:net')
const { constants } = require('node:os')
const { join } = require('node:path')
const { TRAINJOB_SHELLS: prefix, TRAINJOB_SHELL_HOSTS: own, TMPDIR } = process.env

const words = process.argv.slice(2)
while (words[0]?.startsWith('-')) {
  const [option] = words.splice(0, 1)
  if (/^-[BbcDEeFIiJLlmOopQRSWw]$/.test(option)) words.shift()
}
const name = (words.shift() ?? '').split('@').at(-1)
// words of a command that name pods have become addresses
const host = net.isIP(name) ? name : name.split('.')[0]
const command = words.join(' ')

function fail(why) {
  console.error('cannot reach ' + name + ': ' + why)
  process.exit(255)
}

function here() {
  // two daemons in one folder would mix up their sessions
  const folder = join(TMPDIR, 'shell')
  mkdirSync(folder, { recursive: true })
  const env = { ...process.env, TMPDIR: folder }
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'inherit', 'inherit'], env })
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

function there(attemptsLeft) {
  const path = prefix + createHash('sha256').update(host).digest('hex').slice(0, 12)
  const socket = net.connect(path)
  let text = ''
  let code
  socket.setEncoding('utf8')
  socket.once('connect', () => socket.write(JSON.stringify({ command }) + '\\n'))
  socket.on('data', (chunk) => {
    const lines = (text + chunk).split('\\n')
    text = lines.pop()
    for (const line of lines) {
      const said = JSON.parse(line)
      if (said.out) process.stdout.write(Buffer.from(said.out, 'base64'))
      if (said.err) process.stderr.write(Buffer.from(said.err, 'base64'))
      code ??= said.code
    }
  })
  socket.on('error', (error) => {
    if (attemptsLeft === 0) fail(error.code === 'ENOENT' ? 'no node of this job has that name, or it has ended' : error.message)
    else setTimeout(() => there(attemptsLeft - 1), 1000)
  })
  socket.on('close', (failed) => {
    if (!failed) process.exitCode = code ?? 255
  })
}

if (command === '') fail('expected a host and a command')
else if (own.split(' ').includes(host)) here()
else there(10)
`
