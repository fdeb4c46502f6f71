import { createReaper } from '../reaper/reaper.ts'
import { describeRunner } from '../runner.suite.ts'
import { isAlive } from '../testing/test-node.ts'
import { createProcessRunner } from './process-runner.ts'

let engines = 0

describeRunner('processes', (dir) => {
  const engineId = `runner-test-${process.pid}-${engines++}`
  const runner = createProcessRunner({ engineId, dir, reaper: createReaper({ engineId }) })
  return { runner, isAlive }
})
