import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Container, multiplyQuantity, type Pod, parseQuantity, quantityValue } from '@trainjob/api'
import { type ImagePrograms, type Initialized, imageProgramsOf, initializerOf } from '@trainjob/runtime'
import type { Attempt } from './config-fault.ts'
import { type ConfigReader, loadConfigSources } from './env/config-sources.ts'
import { containerEnvironment } from './env/container-environment.ts'
import { expand } from './env/expand.ts'
import type { FetchTask } from './fetcher/fetch.ts'
import { containerPlaces, WORKSPACE_PATH } from './mounts/container-places.ts'
import { mapPath, type PathMapping, rewritePaths } from './mounts/path-map.ts'
import type { PodSeat } from './network/pod-network.ts'
import { rendezvousEnv } from './network/rendezvous-env.ts'
import type { RemoteShell } from './remote-shell/remote-shell.ts'
import type { ContainerSpec, Mount } from './runner.ts'
import { type TerminationPlace, terminationPlace } from './termination/termination-place.ts'
import { containerMounts, mountedVolumes } from './volumes/container-mounts.ts'
import type { VolumeFolders } from './volumes/prepare-volume.ts'
import { pathInside } from './volumes/safe-path.ts'

const REWRITTEN =
  'volumes cannot be mounted on this machine: their paths in command, args and env are rewritten to folders'

/** What of the node is the same for all of its containers. */
export interface NodeSurroundings extends ConfigReader {
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
  /** Folders besides the project that hostPath volumes may name. */
  readonly hostPaths: readonly string[]
  /** The variables that show a container its devices; it waits while there are too few. */
  readonly devices: (pod: Pod, container: Container) => Attempt<Readonly<Record<string, string>>>
  /** Containers run from their images instead of with the tools of this machine. */
  readonly usesImages: boolean
  /** How MPI launchers reach their workers when images are not used. */
  readonly remoteShell: RemoteShell
  /** Limits of memory and CPU hold. */
  readonly enforceLimits: boolean
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

/** How to start an attempt of a container. */
export interface PreparedContainer extends Omit<ContainerSpec, 'id' | 'onOutput'> {
  readonly termination: TerminationPlace
  /** Fetch this instead of running a program. */
  readonly fetch?: FetchTask
}

/** How to start an attempt of a container, or why it cannot be started. */
export async function prepareContainer(
  pod: Pod,
  container: Container,
  attempt: number,
  folders: PodFolders,
  seat: PodSeat,
  node: NodeSurroundings,
  signal: AbortSignal,
): Promise<Attempt<PreparedContainer>> {
  mkdirSync(join(folders.dir, 'logs'), { recursive: true })
  mkdirSync(folders.tmp, { recursive: true })
  const volumes = mountedVolumes(pod, container)
  const sources = await loadConfigSources(node, pod, container, volumes, signal)
  const facts = { nodeName: node.nodeName, hostIP: node.hostIP, podIP: seat.ip }
  const { allocatable } = node
  const volumeFile = (volume: string, path: string): string | undefined => readVolumeFile(folders.dir, volume, path)
  const environment = containerEnvironment({ pod, container, sources, facts, allocatable, volumeFile })
  if (!environment.ok) return environment
  const env = environment.value
  const argv = [...(container.command ?? []), ...(container.args ?? [])].map((text) => expand(text, env))
  const initializer = node.usesImages ? undefined : initializerOf(container, pod.metadata.labels)
  const hasCommand = container.command !== undefined && container.command.length > 0
  if (!hasCommand && !node.usesImages && initializer === undefined) return noCommand(container)
  const needed = node.usesImages ? undefined : imageProgramsOf(container)
  if (needed !== undefined) return noImage(container, needed)

  const volumeFolders = volumeFoldersOf(pod, folders.dir, node)
  const mounted = containerMounts(pod, container, volumeFolders, sources, { pod, facts, allocatable })
  if (!mounted.ok) return mounted
  const devices = node.devices(pod, container)
  if (!devices.ok) return devices
  const termination = terminationPlace(container, attempt, knownFolders(mounted.value, node.workspace), folders.dir)

  // Hosts and ports before paths: what a path is rewritten to is no business of the network.
  const meeting = rendezvousEnv(env, hostnameOf(pod), seat.ip)
  const connecting = seat.connect({ env: new Map([...env, ...Object.entries(meeting)]), argv })
  const connected = connecting instanceof Promise ? await connecting : connecting
  const input: StartInput = {
    pod,
    container,
    folders,
    seat,
    node,
    mounts: mounted.value,
    termination,
    connected,
    deviceEnv: devices.value,
  }
  if (initializer !== undefined) return asFetch(input, initializer)
  return { ok: true, value: node.usesImages ? inImage(input) : await asProcess(input) }
}

/** Everything that is known about a container that can be started. */
interface StartInput {
  readonly pod: Pod
  readonly container: Container
  readonly folders: PodFolders
  readonly seat: PodSeat
  readonly node: NodeSurroundings
  readonly mounts: readonly Mount[]
  readonly termination: TerminationPlace
  /** With addresses and ports of this machine. */
  readonly connected: { readonly env: ReadonlyMap<string, string>; readonly argv: readonly string[] }
  readonly deviceEnv: Readonly<Record<string, string>>
}

/** With the tools of this machine: paths that it does not have are mounted or rewritten. */
async function asProcess(input: StartInput): Promise<PreparedContainer> {
  const { container, folders, seat, node, termination, connected } = input
  const places = await containerPlaces({
    volumes: input.mounts,
    workspace: node.workspace,
    workspaceInText: node.workspaceInText,
    tmp: folders.tmp,
    hostsFile: seat.hostsFile,
    canMount: node.canMount,
    onRewrite: () => node.onNote(REWRITTEN),
  })
  const inText = termination.mapping === undefined ? places.inText : [...places.inText, termination.mapping]
  const text = (value: string): string => rewritePaths(value, inText)
  const own = Object.fromEntries([...connected.env].map(([key, value]) => [key, text(value)]))
  const cwd = container.workingDir
  const shell = node.remoteShell.partOf(input.pod, container, seat)
  const env = {
    ...node.baseEnv,
    HOSTNAME: hostnameOf(input.pod),
    TMPDIR: places.tmp,
    ...shell?.env,
    ...input.deviceEnv,
  }
  return {
    argv: shell?.argv ?? connected.argv.map(text),
    cwd: cwd === undefined || cwd === '' ? (node.workspace ?? workFolder(folders)) : mapPath(cwd, places.inFolders),
    env: { ...env, ...own },
    mounts: places.mounts,
    ...limitsOf(input),
    termination,
  }
}

/** With the image's tools: every path is the container's own. */
function inImage(input: StartInput): PreparedContainer {
  const { container, seat, node, termination, connected } = input
  const { image = '', command = [], workingDir, imagePullPolicy = 'IfNotPresent' } = container
  const shadowed = input.mounts.some(({ target }) => target === WORKSPACE_PATH)
  const project = node.workspace === undefined || shadowed ? [] : [{ source: node.workspace, target: WORKSPACE_PATH }]
  const message = termination.mapping === undefined ? [] : [termination.mapping]
  return {
    argv: connected.argv,
    cwd: workingDir || (project.length > 0 ? WORKSPACE_PATH : undefined),
    env: { HOSTNAME: hostnameOf(input.pod), ...input.deviceEnv, ...Object.fromEntries(connected.env) },
    mounts: [...project, ...input.mounts, { source: seat.hostsFile(), target: '/etc/hosts' }, ...message],
    image: { name: image, pull: imagePullPolicy, replacesEntrypoint: command.length > 0 },
    ...limitsOf(input),
    termination,
  }
}

function limitsOf({ container, node }: StartInput): Pick<ContainerSpec, 'limits' | 'stdin' | 'tty'> {
  const { memory, cpu } = (node.enforceLimits ? container.resources?.limits : undefined) ?? {}
  return {
    ...((memory !== undefined || cpu !== undefined) && {
      limits: {
        ...(memory !== undefined && { memoryBytes: Number(quantityValue(parseQuantity(memory))) }),
        ...(cpu !== undefined && { cpus: Number(quantityValue(multiplyQuantity(parseQuantity(cpu), 1000))) / 1000 }),
      },
    }),
    ...(container.stdin === true && { stdin: true }),
    ...(container.tty === true && { tty: true }),
  }
}

/** What an initializer image would do, done here. */
function asFetch(
  { container, node, mounts, termination, connected }: StartInput,
  kind: Initialized,
): Attempt<PreparedContainer> {
  const folderInContainer = `${WORKSPACE_PATH}/${kind}`
  const known = knownFolders(mounts, node.workspace)
  const folder = mapPath(folderInContainer, known)
  if (folder === folderInContainer) {
    const message = `container ${container.name} has no place for the ${kind}: mount a volume at ${WORKSPACE_PATH} or at ${folderInContainer}`
    return { ok: false, fault: { reason: 'StartError', message } }
  }
  const env = { ...node.baseEnv, ...Object.fromEntries(connected.env) }
  const fetch = { kind, env, folder, folderInContainer, place: (path: string) => mapPath(path, known) }
  return { ok: true, value: { argv: [], env, mounts: [], termination, fetch } }
}

/** Where folders of the container are on this machine. */
function knownFolders(mounts: readonly Mount[], workspace: string | undefined): readonly PathMapping[] {
  if (workspace === undefined || mounts.some(({ target }) => target === WORKSPACE_PATH)) return mounts
  return [{ source: workspace, target: WORKSPACE_PATH }, ...mounts]
}

/** Where the volumes of a pod are. */
export function volumeFoldersOf(
  { metadata: { namespace = 'default' } }: Pod,
  dir: string,
  node: Pick<NodeSurroundings, 'claimsDir' | 'workspace' | 'hostPaths'>,
): VolumeFolders {
  return { pod: dir, claims: join(node.claimsDir, namespace), hostPaths: hostPathsOf(node) }
}

/** The only places that hostPath may name. */
function hostPathsOf({ workspace, hostPaths }: Pick<NodeSurroundings, 'workspace' | 'hostPaths'>): readonly string[] {
  return workspace === undefined ? hostPaths : [workspace, ...hostPaths]
}

function hostnameOf({ metadata, spec }: Pod): string {
  return (spec.hostname ?? metadata.name ?? '').slice(0, 63)
}

function readVolumeFile(podDir: string, volume: string, path: string): string | undefined {
  try {
    const file = pathInside(join(podDir, 'volumes', volume), path)
    return file === undefined ? undefined : readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function noCommand(container: Container): Attempt<never> {
  const message = `container ${container.name} has no command: it would run the entrypoint of image ${container.image ?? '(none)'}, but images are not used when containers run as processes; set command (and args) to what the image would run`
  return { ok: false, fault: { reason: 'StartError', message } }
}

function noImage({ name, image = '(none)' }: Container, { programs }: ImagePrograms): Attempt<never> {
  const message = `container ${name} takes ${programs} out of image ${image}, but images are not used when containers run as processes; run the job with an engine that uses them (podman, docker or a cluster)`
  return { ok: false, fault: { reason: 'StartError', message } }
}

function workFolder(folders: PodFolders): string {
  const folder = join(folders.dir, 'work')
  mkdirSync(folder, { recursive: true })
  return folder
}
