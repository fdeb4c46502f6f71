import { createReaper } from '../reaper/reaper.ts'
import { describeRunner } from '../runner.suite.ts'
import { createSpawner } from '../spawner/spawner.ts'
import { findTerminalHost } from '../terminal/terminal-host.ts'
import { isAlive } from '../testing/test-node.ts'
import { createProcessRunner } from './process-runner.ts'

let engines = 0
const terminal = findTerminalHost({ PATH: process.env.PATH ?? '' })

describeRunner('processes', (dir) => {
  const engineId = `runner-test-${process.pid}-${engines++}`
  const runner = createProcessRunner({ engineId, dir, reaper: createReaper({ engineId }), terminals: () => terminal })
  return { runner, isAlive }
})

describeRunner('processes that another process starts', async (dir) => {
  const engineId = `runner-test-${process.pid}-${engines++}`
  const spawner = createSpawner()
  await spawner.prepare()
  const reaper = createReaper({ engineId })
  const runner = createProcessRunner({ engineId, dir, reaper, terminals: () => terminal, spawner })
  return { runner, isAlive }
})
