export type * from './command-io.ts'
export { ExitCode } from './exit-code.ts'
export { main } from './program.ts'
