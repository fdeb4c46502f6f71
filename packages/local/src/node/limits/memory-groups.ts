import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Keeps the processes of one container within an amount of memory. */
export interface MemoryGroup {
  /** The same program, started inside of the group. */
  wrap(argv: readonly string[]): [string, ...string[]]
  /** Whether the system has ended a process of it for want of memory. */
  oomKilled(): boolean
  /** Call it when no process is left. */
  remove(): void
}

export interface MemoryGroups {
  /** Whether `oomKilled` can tell; without it programs meet failing allocations and say so themselves. */
  readonly exact: boolean
  create(name: string, limitBytes: number): MemoryGroup
}

/** Joins a group before it becomes the program. Exit code 125 is ours, as with `env`. */
const JOIN = 'echo $$ > "$1/cgroup.procs" || exit 125; shift; exec "$@"'
/** Limits private memory: the address space as a whole is reserved far beyond what is used by CUDA, Go or Node. */
const LIMIT_DATA = 'ulimit -d "$1" || exit 125; shift; exec "$@"'

interface Hierarchy {
  readonly dir: string
  readonly limit: string
  /** Files that must be set as well where they exist. */
  readonly also: readonly (readonly [file: string, value: (bytes: number) => string])[]
  /** Has a line `oom_kill N`. */
  readonly events: string
}

const text = (bytes: number): string => String(bytes)

/**
 * Control groups where this user may make them (version 2, then 1), tried for real; resource limits elsewhere.
 *
 * @param engineId part of the names of groups
 * @param root where control groups are mounted
 */
export function createMemoryGroups(engineId: string, root: string = '/sys/fs/cgroup'): MemoryGroups {
  const hierarchy = candidates(root).find((candidate) => works(candidate, engineId))
  if (hierarchy !== undefined) removeLeftovers(hierarchy.dir)
  if (hierarchy === undefined) {
    return {
      exact: false,
      create: (_, limitBytes) => ({
        wrap: (argv) => ['/bin/sh', '-c', LIMIT_DATA, 'trainjob', String(Math.ceil(limitBytes / 1024)), ...argv],
        oomKilled: () => false,
        remove() {},
      }),
    }
  }
  return {
    exact: true,
    create(name, limitBytes) {
      const dir = join(hierarchy.dir, `${PREFIX}${process.pid}-${engineId}-${name.replace(/[^\w.-]/g, '_')}`)
      mkdirSync(dir)
      writeFileSync(join(dir, hierarchy.limit), text(limitBytes))
      for (const [file, value] of hierarchy.also) setIfThere(join(dir, file), value(limitBytes))
      return {
        wrap: (argv) => ['/bin/sh', '-c', JOIN, 'trainjob', dir, ...argv],
        oomKilled: () => Number(/^oom_kill (\d+)$/m.exec(read(join(dir, hierarchy.events)))?.[1] ?? 0) > 0,
        remove: () => removeGroup(dir),
      }
    },
  }
}

function candidates(root: string): Hierarchy[] {
  const found: Hierarchy[] = []
  for (const line of read('/proc/self/cgroup').split('\n')) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (controllers === '' && path !== '') {
      // A group with processes cannot hand controllers down, so its neighbours come first.
      for (const dir of path === '/' ? [root] : [dirname(join(root, path)), join(root, path)]) {
        found.push({
          dir,
          limit: 'memory.max',
          also: [
            ['memory.swap.max', () => '0'],
            ['memory.oom.group', () => '1'],
          ],
          events: 'memory.events',
        })
      }
    }
    if (controllers.split(',').includes('memory')) {
      for (const dir of [join(root, 'memory', path), join(root, 'memory')]) {
        found.push({
          dir,
          limit: 'memory.limit_in_bytes',
          also: [['memory.memsw.limit_in_bytes', text]],
          events: 'memory.oom_control',
        })
      }
    }
  }
  return found
}

/** Names of our groups: behind it the process that made them. */
const PREFIX = 'trainjob-'
const PROBE_BYTES = 64 * 1024 * 1024

function works({ dir, limit }: Hierarchy, engineId: string): boolean {
  const probe = join(dir, `${PREFIX}${process.pid}-${engineId}`)
  try {
    mkdirSync(probe)
  } catch {
    return false
  }
  try {
    // The file exists only where the controller does; a new file would be a folder that is no control group.
    writeFileSync(join(probe, limit), text(PROBE_BYTES), { flag: 'r+' })
    return true
  } catch {
    return false
  } finally {
    removeGroup(probe)
  }
}

/** Empty groups of engines that were killed. */
function removeLeftovers(dir: string): void {
  for (const name of readdirSync(dir)) {
    const pid = name.startsWith(PREFIX) ? /^\d+(?=-)/.exec(name.slice(PREFIX.length))?.[0] : undefined
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) removeGroup(join(dir, name))
  }
}

function setIfThere(file: string, value: string): void {
  try {
    writeFileSync(file, value, { flag: 'r+' })
  } catch {
    // without swap accounting there is none to limit
  }
}

function removeGroup(dir: string): void {
  try {
    rmdirSync(dir)
  } catch {
    // A process that is still dying holds it; an empty group costs next to nothing.
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
