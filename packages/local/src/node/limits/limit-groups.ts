import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What the processes of one container may use. */
export interface Limits {
  readonly memoryBytes?: number | undefined
  /** CPUs that are busy at once, on average over a tenth of a second. */
  readonly cpus?: number | undefined
}

/** Keeps the processes of one container within its limits. */
export interface LimitGroup {
  /** The same program, started inside of the group. */
  wrap(argv: readonly string[]): readonly string[]
  /** Whether the system has ended a process of it for want of memory. */
  oomKilled(): boolean
  /** Call it when no process is left. */
  remove(): void
}

export interface LimitGroups {
  /** Which limits hold exactly. Elsewhere programs meet failing allocations and say so themselves, and have all CPUs. */
  readonly exact: { readonly memory: boolean; readonly cpu: boolean }
  /** Throws what the system says when a limit cannot be set. */
  create(name: string, limits: Limits): LimitGroup
}

/** Joins the groups before it becomes the program. Exit code 125 is ours, as with `env`. */
const JOIN = 'while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs" || exit 125; shift; done; shift; exec "$@"'
/** Limits private memory: the address space as a whole is reserved far beyond what is used by CUDA, Go or Node. */
const LIMIT_DATA = 'ulimit -d "$1" || exit 125; shift; exec "$@"'

/** One controller in a folder of control groups. */
interface Hierarchy {
  readonly dir: string
  readonly file: string
  /** Files that must be set as well where they exist. */
  readonly also: readonly (readonly [file: string, value: (limit: number) => string])[]
  readonly value: (limit: number) => string
}

type Controller = 'memory' | 'cpu'

const text = (limit: number): string => String(limit)
/** In a period of a tenth of a second, which is the system's default; the least that it takes is a hundredth of that. */
const quota = (cpus: number): string => String(Math.max(1_000, Math.round(cpus * 100_000)))

/** Version 2: one folder for all controllers. */
const UNIFIED: Readonly<Record<Controller, Omit<Hierarchy, 'dir'>>> = {
  memory: {
    file: 'memory.max',
    value: text,
    also: [
      ['memory.swap.max', () => '0'],
      ['memory.oom.group', () => '1'],
    ],
  },
  cpu: { file: 'cpu.max', value: (cpus) => `${quota(cpus)} 100000`, also: [] },
}
/** Version 1: a folder for each. */
const SEPARATE: Readonly<Record<Controller, Omit<Hierarchy, 'dir'>>> = {
  memory: { file: 'memory.limit_in_bytes', value: text, also: [['memory.memsw.limit_in_bytes', text]] },
  cpu: { file: 'cpu.cfs_quota_us', value: quota, also: [] },
}
/** Have a line `oom_kill N`. */
const OOM_FILES = ['memory.events', 'memory.oom_control']

/**
 * Control groups where this user may make them (version 2, then 1), tried for real; resource limits elsewhere.
 *
 * @param engineId part of the names of groups
 * @param root where control groups are mounted
 */
export function createLimitGroups(engineId: string, root: string = '/sys/fs/cgroup'): LimitGroups {
  const memory = candidates('memory', root).find((candidate) => works(candidate, engineId, PROBE_BYTES))
  const cpu = candidates('cpu', root).find((candidate) => works(candidate, engineId, PROBE_CPUS))
  for (const dir of new Set([memory?.dir, cpu?.dir])) if (dir !== undefined) removeLeftovers(dir)
  return {
    exact: { memory: memory !== undefined, cpu: cpu !== undefined },
    create(name, { memoryBytes, cpus }) {
      const folder = `${PREFIX}${process.pid}-${engineId}-${name.replace(/[^\w.-]/g, '_')}`
      const dirs = new Set<string>()
      const limit = (hierarchy: Hierarchy, amount: number): void => {
        const dir = join(hierarchy.dir, folder)
        if (!dirs.has(dir)) mkdirSync(dir)
        dirs.add(dir)
        writeFileSync(join(dir, hierarchy.file), hierarchy.value(amount))
        for (const [file, value] of hierarchy.also) setIfThere(join(dir, file), value(amount))
      }
      const remove = (): void => {
        for (const dir of dirs) removeGroup(dir)
      }
      try {
        if (memory !== undefined && memoryBytes !== undefined) limit(memory, memoryBytes)
        if (cpu !== undefined && cpus !== undefined) limit(cpu, cpus)
      } catch (error) {
        remove()
        throw error
      }
      return {
        remove,
        wrap(argv) {
          const joined = dirs.size === 0 ? argv : ['/bin/sh', '-c', JOIN, 'trainjob', ...dirs, '--', ...argv]
          if (memory !== undefined || memoryBytes === undefined) return joined
          return ['/bin/sh', '-c', LIMIT_DATA, 'trainjob', String(Math.ceil(memoryBytes / 1024)), ...joined]
        },
        oomKilled: () =>
          [...dirs].some((dir) => OOM_FILES.some((file) => /^oom_kill [1-9]/m.test(read(join(dir, file))))),
      }
    },
  }
}

/** Where groups with a controller could be made. */
function candidates(controller: Controller, root: string): Hierarchy[] {
  const found: Hierarchy[] = []
  for (const line of read('/proc/self/cgroup').split('\n')) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (controllers === '' && path !== '') {
      // A group with processes cannot hand controllers down, so its neighbours come first.
      for (const dir of path === '/' ? [root] : [dirname(join(root, path)), join(root, path)]) {
        found.push({ dir, ...UNIFIED[controller] })
      }
    }
    if (controllers.split(',').includes(controller)) {
      // a hierarchy of several is found under the name of each
      for (const dir of [join(root, controller, path), join(root, controller)]) {
        found.push({ dir, ...SEPARATE[controller] })
      }
    }
  }
  return found
}

/** Names of our groups: behind it the process that made them. */
const PREFIX = 'trainjob-'
const PROBE_BYTES = 64 * 1024 * 1024
const PROBE_CPUS = 0.5

function works({ dir, file, value }: Hierarchy, engineId: string, limit: number): boolean {
  const probe = join(dir, `${PREFIX}${process.pid}-${engineId}`)
  try {
    mkdirSync(probe)
  } catch {
    return false
  }
  try {
    // The file exists only where the controller does; a new file would be a folder that is no control group.
    writeFileSync(join(probe, file), value(limit), { flag: 'r+' })
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
