import { parseArgs } from 'node:util'
import { LocalError } from '../error.ts'
import type { ServeOptions } from './serve.ts'
import type { RunningServer } from './status.ts'

/** What a server process tells the process that started it. */
export type ServerMessage =
  | { readonly type: 'ready'; readonly server: RunningServer }
  | { readonly type: 'failed'; readonly code: string; readonly message: string }

/**
 * The arguments that `serveProcess` reads. They hold no secrets: everybody can see them.
 *
 * @example
 * serveArguments({ name: 'mine', port: 6443 }) // => ['--name=mine', '--port=6443']
 */
export function serveArguments({ hostPaths = [], enforceLimits, ...options }: ServeOptions): string[] {
  const { name, dataDir, port, workspace, runner } = options
  const flags = { name, 'data-dir': dataDir, port, workspace, runner }
  const values = Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`]))
  const paths = hostPaths.map((path) => `--host-path=${path}`)
  return [...values, ...paths, ...(enforceLimits === true ? ['--enforce-limits'] : [])]
}

/**
 * The whole life of a server process: serves until SIGTERM or SIGINT, tells its parent when it is ready or why it is
 * not. A second signal ends it at once. Resolves with the exit code.
 *
 * @example
 * import { down, up } from '@trainjob/local/daemon'
 *
 * const program = `
 *   import { serveProcess } from '${import.meta.resolve('@trainjob/local/daemon/process')}'
 *   process.exitCode = await serveProcess(process.argv.slice(1))
 * `
 * const place = { dataDir: folder, name: 'own' }
 * const command = [process.execPath, '--input-type=module', '--eval', program, '--'] as const
 * await up({ ...place, command: [...command] })
 * await down(place) // => true
 */
export async function serveProcess(args: readonly string[]): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      name: text,
      'data-dir': text,
      port: text,
      workspace: text,
      runner: text,
      'host-path': { ...text, multiple: true },
      'enforce-limits': { type: 'boolean' },
    },
  })
  const stopping = new AbortController()
  const stop = () => {
    if (stopping.signal.aborted) process.exit(1)
    stopping.abort()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // closing the terminal is no reason to end
  process.on('SIGHUP', () => {})
  try {
    // whoever only starts such a process needs none of what it loads
    const { serve } = await import('./serve.ts')
    await serve(
      {
        ...(values.name !== undefined && { name: values.name }),
        ...(values['data-dir'] !== undefined && { dataDir: values['data-dir'] }),
        ...(values.port !== undefined && { port: Number(values.port) }),
        ...(values.workspace !== undefined && { workspace: values.workspace }),
        ...(isRunner(values.runner) && { runner: values.runner }),
        enforceLimits: values['enforce-limits'] === true,
        hostPaths: values['host-path'] ?? [],
        onReady: (server) => tell({ type: 'ready', server }),
      },
      stopping.signal,
    )
    return 0
  } catch (error) {
    if (stopping.signal.aborted) return 0
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${message}\n`)
    tell({ type: 'failed', code: error instanceof LocalError ? error.code : 'start-failed', message })
    return 1
  }
}

function isRunner(name: string | undefined): name is NonNullable<ServeOptions['runner']> {
  return name === 'process' || name === 'podman' || name === 'docker'
}

function tell(message: ServerMessage): void {
  // the parent may have gone meanwhile
  if (process.connected) process.send?.(message, undefined, {}, () => {})
}
