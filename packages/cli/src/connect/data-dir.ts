import { join } from 'node:path'
import type { CommandIO } from '../command-io.ts'

/** Where this program keeps things between runs: `$XDG_DATA_HOME/trainjob`, else `~/.local/share/trainjob`. */
export function dataDir(env: CommandIO['env']): string {
  const base = env.XDG_DATA_HOME
  if (base?.startsWith('/')) return join(base, 'trainjob')
  return join(env.HOME ?? env.USERPROFILE ?? '.', '.local', 'share', 'trainjob')
}
