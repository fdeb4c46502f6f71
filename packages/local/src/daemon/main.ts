import { enableCompileCache } from 'node:module'

// it covers what is loaded from here on, so that everything else is
enableCompileCache()
const { serveProcess } = await import('./serve-process.ts')

// everything is stopped when it resolves; whatever still waits for something is no reason to live on
process.exit(await serveProcess(process.argv.slice(2)))
