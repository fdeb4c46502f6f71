import { serveProcess } from './serve-process.ts'

// everything is stopped when it resolves; whatever still waits for something is no reason to live on
process.exit(await serveProcess(process.argv.slice(2)))
