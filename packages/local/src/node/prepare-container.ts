import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Container, Pod } from '@trainjob/api'
import type { Reader } from '@trainjob/kube'
import type { Attempt } from './config-fault.ts'
import { loadConfigSources } from './env/config-sources.ts'
import { containerEnvironment } from './env/container-environment.ts'
import { expand } from './env/expand.ts'
import { mapPath, type PathMapping, rewritePaths } from './mounts/path-map.ts'
import type { PodSeat } from './network/pod-network.ts'
import type { ContainerSpec, Mount } from './runner.ts'
import { containerMounts, mountedVolumes } from './volumes/container-mounts.ts'

/** Where a container finds the user's project. */
export const WORKSPACE_PATH = '/workspace'

/** What of the node is the same for all of its containers. */
export interface NodeSurroundings {
  readonly reader: Pick<Reader, 'get'>
  readonly nodeName: string
  readonly hostIP: string
  readonly allocatable: Readonly<Record<string, string>>
  /** What every process inherits. */
  readonly baseEnv: Readonly<Record<string, string>>
  /** The user's project; nothing is at `/workspace` without it. */
  readonly workspace?: string | undefined
  /** The project by a path without characters that a shell would trip over; `workspace` when left out. */
  readonly workspaceInText?: string | undefined
  /** Folders of persistent volume claims, by namespace. */
  readonly claimsDir: string
  /** Whether containers can have mounts of their own; asked only when one needs them. */
  readonly canMount: () => Promise<boolean>
  /** What a user should know; told once per text. */
  readonly onNote: (note: string) => void
}

/** A pod's own places. */
export interface PodFolders {
  /** Holds everything else; exists. */
  readonly dir: string
  /** Short, because sockets in it must fit 108 bytes. Exists. */
  readonly tmp: string
}

/** How to start the next attempt of a container, or why it cannot be started. */
export async function prepareContainer(
  pod: Pod,
  container: Container,
  folders: PodFolders,
  seat: PodSeat,
  node: NodeSurroundings,
  signal: AbortSignal,
): Promise<Attempt<Omit<ContainerSpec, 'id' | 'onOutput'>>> {
  const { namespace = 'default', name = '' } = pod.metadata
  const volumes = mountedVolumes(pod, container)
  const sources = await loadConfigSources(node.reader, namespace, container, volumes, signal)
  const facts = { nodeName: node.nodeName, hostIP: node.hostIP, podIP: seat.ip }
  const environment = containerEnvironment({ pod, container, sources, facts, allocatable: node.allocatable })
  if (!environment.ok) return environment
  const env = environment.value
  const argv = [...(container.command ?? []), ...(container.args ?? [])].map((text) => expand(text, env))
  if (container.command === undefined || container.command.length === 0) return noCommand(container)

  const volumeFolders = { pod: folders.dir, claims: join(node.claimsDir, namespace), workspace: node.workspace }
  const mounted = containerMounts(pod, container, volumeFolders, sources)
  if (!mounted.ok) return mounted
  const places = await placesOf(mounted.value, seat, node)

  // Hosts and ports before paths: what a path is rewritten to is no business of the network.
  const connecting = seat.connect({ env, argv })
  const connected = connecting instanceof Promise ? await connecting : connecting
  const text = (value: string): string => rewritePaths(value, places.rewrites)
  const own = Object.fromEntries([...connected.env].map(([key, value]) => [key, text(value)]))
  const hostname = (pod.spec.hostname ?? name).slice(0, 63)
  const cwd = container.workingDir
  return {
    ok: true,
    value: {
      argv: connected.argv.map(text) as [string, ...string[]],
      cwd: cwd === undefined || cwd === '' ? (node.workspace ?? workFolder(folders)) : mapPath(cwd, places.folders),
      env: { ...node.baseEnv, HOSTNAME: hostname, TMPDIR: folders.tmp, ...own },
      mounts: places.mounts,
    },
  }
}

function noCommand(container: Container): Attempt<never> {
  const message = `container ${container.name} has no command: it would run the entrypoint of image ${container.image ?? '(none)'}, but images are not used when containers run as processes; set command (and args) to what the image would run`
  return { ok: false, fault: { reason: 'CreateContainerError', message } }
}

interface Places {
  readonly mounts: readonly Mount[]
  /** For texts. */
  readonly rewrites: readonly PathMapping[]
  /** For the working directory. */
  readonly folders: readonly PathMapping[]
}

/** What is mounted for real, and which paths are rewritten because they are not (or need not be). */
async function placesOf(volumes: readonly Mount[], seat: PodSeat, node: NodeSurroundings): Promise<Places> {
  const { workspace } = node
  const shadowed = volumes.some((mount) => mount.target === WORKSPACE_PATH)
  // The project is used where it is, also where mounts are possible: links in it (node_modules of a pnpm workspace,
  // virtual environments) lead out of it and would break elsewhere.
  const project = workspace === undefined || shadowed ? [] : [{ source: workspace, target: WORKSPACE_PATH }]
  const inText = project.map((mapping) => ({ ...mapping, source: node.workspaceInText ?? mapping.source }))
  if (volumes.length === 0) return { mounts: [], rewrites: inText, folders: project }
  if (!(await node.canMount())) {
    node.onNote(
      'volumes cannot be mounted on this machine: their paths in command, args and env are rewritten to folders',
    )
    return { mounts: [], rewrites: [...inText, ...volumes], folders: [...project, ...volumes] }
  }
  const below = volumes.filter(({ target }) => project.length > 0 && target.startsWith(`${WORKSPACE_PATH}/`))
  for (const { target } of below) mkdirSync(mapPath(target, project), { recursive: true })
  const mirrored = below.map((mount) => ({ ...mount, target: mapPath(mount.target, project) }))
  const hosts = { source: seat.hostsFile(), target: '/etc/hosts' }
  for (const outer of volumes) {
    for (const inner of volumes) {
      if (inner.target.startsWith(`${outer.target}/`)) {
        mkdirSync(outer.source + inner.target.slice(outer.target.length), { recursive: true })
      }
    }
  }
  return { mounts: [...project, ...volumes, ...mirrored, hosts], rewrites: inText, folders: project }
}

function workFolder(folders: PodFolders): string {
  const folder = join(folders.dir, 'work')
  mkdirSync(folder, { recursive: true })
  return folder
}
