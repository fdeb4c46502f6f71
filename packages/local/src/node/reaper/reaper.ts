import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { REAPER_SCRIPT } from './reaper-script.ts'

/** Ends the engine's processes when the engine cannot: it was killed, or it crashed. */
export interface Reaper {
  /** Starts the reaper unless it runs: call it before a process starts, so that there is no moment without it. */
  prepare(): void
  /** Takes a process group into care. */
  add(group: number): void
  /** The group is empty. */
  remove(group: number): void
  /** Nothing is left to care for: the reaper ends and removes nothing. */
  dismiss(): void
}

export interface ReaperOptions {
  /** Value of the mark in the environment of the engine's processes. */
  readonly engineId: string
  /** Folder to remove after the engine was killed, once its processes are gone. */
  readonly removeDir?: string | undefined
}

/**
 * A `/bin/sh` that waits on a pipe from the engine. The system closes the pipe whatever happens to the engine, so no
 * signal handler and no polling is needed. It starts with the first group and runs in a session of its own, out of
 * reach of Ctrl-C.
 */
export function createReaper(options: ReaperOptions): Reaper {
  const groups = new Set<number>()
  let shell: ChildProcess | undefined
  let dismissed = false

  function start(): ChildProcess {
    const child = spawn(
      '/bin/sh',
      ['-c', REAPER_SCRIPT, 'trainjob-reaper', options.engineId, options.removeDir ?? ''],
      {
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
        cwd: '/',
        // It must not carry the mark, or it would kill itself.
        env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      },
    )
    const forget = (): void => {
      if (shell === child) shell = undefined
    }
    child.on('error', forget)
    child.on('exit', forget)
    child.stdin?.on('error', forget)
    child.unref()
    ;(child.stdin as Socket | null)?.unref()
    return child
  }

  function tell(line: string): void {
    shell?.stdin?.write(line)
  }

  return {
    prepare() {
      if (dismissed || shell !== undefined) return
      shell = start()
      // one that somebody killed is replaced, and told everything
      for (const known of groups) tell(`+ ${known}\n`)
    },
    add(group) {
      groups.add(group)
      tell(`+ ${group}\n`)
    },
    remove(group) {
      if (groups.delete(group)) tell(`- ${group}\n`)
    },
    dismiss() {
      if (dismissed) return
      dismissed = true
      tell('q\n')
      shell?.stdin?.end()
    },
  }
}
