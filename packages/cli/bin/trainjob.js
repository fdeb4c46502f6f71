#!/usr/bin/env node
// Plain JavaScript and next to nothing: a compile cache covers only what is loaded after it was enabled.
import module from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 19)) {
  module.enableCompileCache()
  const { launch } = await import('../src/launch.ts')
  await launch(process)
} else {
  process.stderr.write(`error: trainjob needs Node 22.19 or newer; this is ${process.version}.\n`)
  process.exitCode = 2
}
