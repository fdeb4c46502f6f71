import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Container, Pod } from '@trainjob/api'
import type { Reader } from '@trainjob/kube'
import type { Attempt } from './config-fault.ts'
import { loadConfigSources } from './env/config-sources.ts'
import { containerEnvironment } from './env/container-environment.ts'
import { expand } from './env/expand.ts'
import { containerPlaces } from './mounts/container-places.ts'
import { mapPath, rewritePaths } from './mounts/path-map.ts'
import type { PodSeat } from './network/pod-network.ts'
import type { ContainerSpec } from './runner.ts'
import { containerMounts, mountedVolumes } from './volumes/container-mounts.ts'

const REWRITTEN =
  'volumes cannot be mounted on this machine: their paths in command, args and env are rewritten to folders'

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
  /** Holds logs, volumes and the working directory. */
  readonly dir: string
  /** Short, because the paths of sockets in it must fit 108 bytes. */
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
  mkdirSync(join(folders.dir, 'logs'), { recursive: true })
  mkdirSync(folders.tmp, { recursive: true })
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
  const places = await containerPlaces({
    volumes: mounted.value,
    workspace: node.workspace,
    workspaceInText: node.workspaceInText,
    tmp: folders.tmp,
    hostsFile: seat.hostsFile,
    canMount: node.canMount,
    onRewrite: () => node.onNote(REWRITTEN),
  })

  // Hosts and ports before paths: what a path is rewritten to is no business of the network.
  const connecting = seat.connect({ env, argv })
  const connected = connecting instanceof Promise ? await connecting : connecting
  const text = (value: string): string => rewritePaths(value, places.inText)
  const own = Object.fromEntries([...connected.env].map(([key, value]) => [key, text(value)]))
  const hostname = (pod.spec.hostname ?? name).slice(0, 63)
  const cwd = container.workingDir
  return {
    ok: true,
    value: {
      argv: connected.argv.map(text) as [string, ...string[]],
      cwd: cwd === undefined || cwd === '' ? (node.workspace ?? workFolder(folders)) : mapPath(cwd, places.inFolders),
      env: { ...node.baseEnv, HOSTNAME: hostname, TMPDIR: places.tmp, ...own },
      mounts: places.mounts,
    },
  }
}

function noCommand(container: Container): Attempt<never> {
  const message = `container ${container.name} has no command: it would run the entrypoint of image ${container.image ?? '(none)'}, but images are not used when containers run as processes; set command (and args) to what the image would run`
  return { ok: false, fault: { reason: 'CreateContainerError', message } }
}

function workFolder(folders: PodFolders): string {
  const folder = join(folders.dir, 'work')
  mkdirSync(folder, { recursive: true })
  return folder
}
