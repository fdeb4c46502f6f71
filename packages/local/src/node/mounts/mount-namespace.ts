import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Mount } from '../runner.ts'
import { machineFolders } from './machine-folders.ts'
import { NAMESPACE_SCRIPT } from './namespace-script.ts'
import { planRoot } from './root-plan.ts'

/** A program that will see the mounts. */
export interface NamespaceCommand {
  readonly argv: readonly [string, ...string[]]
  /** Env variables that the command needs on top; the program does not see them. */
  readonly extraEnv: Readonly<Record<string, string>>
  /** Removes what was prepared. Call it when the program has ended. */
  remove(): Promise<void>
}

/**
 * Wraps a program so that it runs in a mount namespace of its own, in which `mounts` are at their absolute paths.
 * Nothing is mounted for anybody else, and nothing has to be unmounted. Without root rights it takes a user namespace,
 * inside of which the program is the same user again.
 *
 * @param scratch folder that does not exist yet; holds the skeleton of the new root
 */
export function namespaceCommand(
  argv: readonly string[],
  mounts: readonly Mount[],
  cwd: string,
  path: string,
  scratch: string,
): NamespaceCommand {
  const plan = planRoot(mounts, machineFolders)
  const root = join(scratch, 'root')
  mkdirSync(root, { recursive: true })
  for (const folder of plan.folders) mkdirSync(root + folder, { recursive: true })
  for (const { path: at, to } of plan.links) {
    mkdirSync(dirname(root + at), { recursive: true })
    symlinkSync(to, root + at)
  }
  for (const file of plan.files) writeFileSync(root + file, '')
  const table = join(scratch, 'table')
  const prefix = plan.newRoot ? root : ''
  const nested = mountPoints()
  writeFileSync(table, plan.binds.map((bind) => tableLine(bind, prefix, nested)).join(''))

  const uid = process.getuid?.() ?? 0
  const gid = process.getgid?.() ?? 0
  const asUser = uid === 0 ? ['', ''] : [String(uid), String(gid)]
  const unshare = uid === 0 ? ['unshare', '--mount'] : ['unshare', '--user', '--map-root-user', '--mount']
  return {
    argv: [
      ...(unshare as [string, ...string[]]),
      '/bin/sh',
      '-c',
      NAMESPACE_SCRIPT,
      'trainjob',
      prefix,
      table,
      cwd,
      ...asUser,
      ...argv,
    ],
    extraEnv: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', TRAINJOB_PATH: path },
    remove: () => rm(scratch, { recursive: true, force: true }),
  }
}

/** A line of the form of fstab(5). Folders with mounts below them are taken with those. */
function tableLine({ source, target, readOnly }: Mount, root: string, nested: readonly string[]): string {
  const below = source === '/' ? source : `${source}/`
  const kind = nested.some((point) => point.startsWith(below)) ? 'rbind' : 'bind'
  return `${octal(source)} ${octal(root + target)} none ${kind}${readOnly === true ? ',ro' : ''} 0 0\n`
}

function mountPoints(): readonly string[] {
  try {
    return readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) =>
        (line.split(' ')[1] ?? '').replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))),
      )
  } catch {
    return []
  }
}

function octal(path: string): string {
  return path.replace(/[\\ \t\n]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)
}
