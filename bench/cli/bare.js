// Four processes and their lines behind their numbers: what "trainjob run" does, without anything else.
import { spawn } from 'node:child_process'

const nodes = Number(process.argv[2])
const command = process.argv.slice(3)
for (let rank = 0; rank < nodes; rank++) {
  const child = spawn(command[0], command.slice(1), {
    env: { ...process.env, PET_NODE_RANK: String(rank) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.on('data', (chunk) => {
    for (const line of String(chunk).trimEnd().split('\n')) process.stdout.write(`node-${rank} | ${line}\n`)
  })
}
