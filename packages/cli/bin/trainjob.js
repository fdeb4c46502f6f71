#!/usr/bin/env node
// Plain JavaScript and next to nothing: a compile cache covers only what is loaded after it was enabled.
import module from 'node:module'

module.enableCompileCache?.()
const { launch } = await import('../src/launch.ts')
await launch(process)
