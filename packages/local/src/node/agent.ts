import { mkdirSync, symlinkSync } from 'node:fs'
import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Pod, Pods } from '@trainjob/api'
import { type Client, type Clock, createEventRecorder, createInformer } from '@trainjob/kube'
import type { StreamSource } from '../server/exec/stream-source.ts'
import type { LogSource } from '../server/log-source.ts'
import { createClaimKeeper } from './claims/claim-keeper.ts'
import type { ContainerEngine } from './container-runner/container-engine.ts'
import { DEFAULT_RESTART_BACKOFF, type RestartBackoff } from './lifecycle/restart-backoff.ts'
import { createLimitGroups, type LimitGroups, type Limits } from './limits/limit-groups.ts'
import { createPodLogs, type PodLogs } from './log/log-store.ts'
import { probeNamespace } from './mounts/probe-namespace.ts'
import { createPodNetwork } from './network/pod-network.ts'
import { createNodeEntry } from './node-entry.ts'
import { createPodReports } from './pod-reports.ts'
import { createPodStreams, type PodHere } from './pod-streams.ts'
import { createPodWorker, type PodWorker } from './pod-worker.ts'
import { type NodeSurroundings, volumeFoldersOf } from './prepare-container.ts'
import { baseEnvironment } from './process/base-environment.ts'
import { createProcessRunner } from './process/process-runner.ts'
import { createReaper } from './reaper/reaper.ts'
import { createRemoteShell } from './remote-shell/remote-shell.ts'
import { findTerminalHost, type TerminalHost } from './terminal/terminal-host.ts'
import { createServiceAccountTokens } from './tokens/service-account-tokens.ts'
import { refreshVolumes } from './volumes/refresh-volumes.ts'
import { createVolumeKeeper } from './volumes/volume-keeper.ts'

export interface NodeAgentOptions {
  readonly client: Client
  readonly clock: Clock
  /** Where pods, their logs and volumes live; created if missing. Keep it short: sockets of processes are below it. */
  readonly dir: string
  /** The user's project: at `/workspace` for containers, and where they start. */
  readonly workspace?: string | undefined
  /** Waits between attempts of a container in its pod. */
  readonly restartBackoff?: Partial<RestartBackoff> | undefined
  /** Told what a user should know about how pods run here; each note once. */
  readonly onNote: (note: string) => void
  /** Runs containers from their images; as processes of this machine when left out. */
  readonly engine?: ContainerEngine | undefined
  /** Folders besides the project that hostPath volumes may name. */
  readonly hostPaths?: readonly string[] | undefined
  /** Folders of persistent volume claims; below `dir` when left out. Keep it elsewhere to keep what is in them. */
  readonly claimsDir?: string | undefined
  /**
   * Limits of memory and CPU hold, by control groups where this user may make them: a container that uses more memory is
   * ended, and gets no more CPU.
   */
  readonly enforceLimits?: boolean | undefined
  /** `local` when left out. */
  readonly nodeName?: string | undefined
  /** Processes inherit a few variables of it, see `baseEnvironment`. This process' own when left out. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** In [0, 1). `Math.random` when left out. */
  readonly random?: (() => number) | undefined
  /** `rewrite` never mounts volumes, also where it would be possible. */
  readonly mounts?: 'auto' | 'rewrite' | undefined
  /** Where to write a log instead of the path it would have; for tests of full disks. */
  readonly logFile?: ((path: string) => string) | undefined
  /** Remove `dir` after the engine was killed and its processes are gone. */
  readonly removeDirWhenKilled?: boolean | undefined
}

/** Runs the pods that are bound to this machine. */
export interface NodeAgent {
  readonly logs: LogSource
  /** Commands in running containers, and connections to them. */
  readonly streams: StreamSource
  /** What this machine has for pods, once its devices are known. */
  capacity(): Promise<Readonly<Record<string, string>>>
  /** Registers the node and runs pods until the signal aborts or `stop` is called. Resolves when nothing is left. */
  start(signal: AbortSignal): Promise<void>
  /** Terminates all pods, waits for them, then kills what is left. Called again with a shorter grace, it hurries. */
  stop(options?: { readonly graceMs?: number }): Promise<void>
}

/** What pods get at most when the engine stops: somebody waits for their prompt. */
const STOP_GRACE_MS = 5_000
/** For pods whose object is gone already: nobody waits for them any more. */
const ORPHAN_GRACE_MS = 2_000

export function createNodeAgent(options: NodeAgentOptions): NodeAgent {
  const { client, clock, dir, random = Math.random, env = process.env, nodeName = 'local' } = options
  const backoff = { ...DEFAULT_RESTART_BACKOFF, ...options.restartBackoff }
  const engineId = Array.from({ length: 4 }, () => Math.floor(random() * 2 ** 32).toString(36)).join('')
  const removeDir = options.removeDirWhenKilled === true ? dir : undefined
  const reaper = createReaper({ engineId, removeDir })
  const runner =
    options.engine === undefined
      ? createProcessRunner({ engineId, dir: join(dir, 'ns'), reaper, limitGroups, terminals })
      : options.engine.createRunner({ engineId, reaper, terminals })
  const running = new AbortController()
  const recorder = createEventRecorder({ client, clock, component: 'kubelet', instance: nodeName })
  const reports = createPodReports({ client, clock, recorder, signal: running.signal })
  const notes = new Set<string>()
  const note = (text: string): void => {
    if (notes.has(text)) return
    notes.add(text)
    options.onNote(text)
  }
  const network = createPodNetwork({ dir: join(dir, 'hosts'), platform: process.platform, random, onNote: note })
  const entry = createNodeEntry({ client, clock, name: nodeName, env, engine: options.engine?.name, onNote: note })
  const workers = new Map<string, PodWorker>()
  const here = new Map<string, PodHere & { readonly pod: Pod }>()
  const logs = new Map<string, PodLogs>()
  const removals = new Set<Promise<void>>()
  let mountable: Promise<boolean> | undefined
  let pods = 0
  let stopping: Promise<void> | undefined
  let groups: LimitGroups | undefined
  /** null where there is none. */
  let terminalHost: TerminalHost | null | undefined
  const claimsDir = options.claimsDir ?? join(dir, 'claims')
  const claims = createClaimKeeper({
    client,
    clock,
    dir: claimsDir,
    isUsed: (namespace, name) => [...here.values()].some(({ pod }) => usesClaim(pod, namespace, name)),
    onNote: note,
  })

  const keeper = createVolumeKeeper({ client, clock, write: refreshPodVolumes, onNote: note })
  const tokens = createServiceAccountTokens(client, clock, keeper.refresh)

  async function refreshPodVolumes(pod: Pod, signal: AbortSignal): Promise<void> {
    const podIP = here.get(pod.metadata.uid ?? '')?.seat.ip
    if (podIP === undefined) return
    const context = { pod, facts: { nodeName, hostIP: node.hostIP, podIP }, allocatable: entry.allocatable }
    await refreshVolumes(volumeFoldersOf(pod, podDir(pod), node), node, context, signal)
  }

  function limitGroups(limits: Limits): LimitGroups {
    groups ??= createLimitGroups(engineId)
    if (limits.memoryBytes !== undefined && !groups.exact.memory) {
      note('memory limits hold by resource limits: a program over its limit meets failing allocations')
    }
    if (limits.cpus !== undefined && !groups.exact.cpu) {
      note('CPU limits do not hold: they need control groups, which this user may not make')
    }
    return groups
  }

  function terminals(): TerminalHost | undefined {
    if (terminalHost === undefined) {
      terminalHost = findTerminalHost(baseEnvironment(env)) ?? null
      if (terminalHost === null) note('no terminal can be made on this machine (install python3): programs get pipes')
    }
    return terminalHost ?? undefined
  }

  const node: NodeSurroundings = {
    reader: client,
    tokens,
    nodeName,
    hostIP: '127.0.0.1',
    get allocatable() {
      return entry.allocatable
    },
    baseEnv: baseEnvironment(env),
    workspace: options.workspace,
    workspaceInText: plainPath(options.workspace, join(dir, 'workspace')),
    claimsDir,
    hostPaths: options.hostPaths ?? [],
    devices: entry.assign,
    usesImages: options.engine !== undefined,
    remoteShell: createRemoteShell(join(dir, 's'), note),
    enforceLimits: options.enforceLimits === true,
    canMount() {
      if (options.mounts === 'rewrite') return Promise.resolve(false)
      mountable ??= probeNamespace(join(dir, 'ns', 'probe'), running.signal)
      return mountable
    },
    onNote: note,
  }

  function podDir(pod: Pod): string {
    return join(dir, 'pods', pod.metadata.uid ?? '')
  }

  function logsOf(pod: Pod): PodLogs {
    const uid = pod.metadata.uid ?? ''
    let found = logs.get(uid)
    if (found === undefined) {
      const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
      const attemptOf = (name: string): number => statuses.find((status) => status.name === name)?.restartCount ?? 0
      found = createPodLogs(join(podDir(pod), 'logs'), () => clock.now(), attemptOf, options.logFile)
      logs.set(uid, found)
    }
    return found
  }

  function take(pod: Pod): void {
    const uid = pod.metadata.uid ?? ''
    const known = workers.get(uid)
    if (known !== undefined) {
      known.update(pod)
      keeper.update(pod)
      return
    }
    if (stopping !== undefined) return
    if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') {
      if (pod.metadata.deletionTimestamp !== undefined) void reports.finalize(pod)
      return
    }
    if (options.engine === undefined) note('images are not pulled: commands run with the tools found on this machine')
    const folder = podDir(pod)
    const tmp = join(dir, 't', String(pods++))
    const joined = network.join(pod)
    // Before the pod's end is told: who waits for its devices is started right then.
    const seat = {
      ...joined,
      leave() {
        entry.release(uid)
        joined.leave()
      },
    }
    const worker = createPodWorker({
      pod,
      seat,
      folders: { dir: folder, tmp },
      logs: logsOf(pod),
      node,
      runner,
      reports,
      clock,
      backoff,
    })
    workers.set(uid, worker)
    here.set(uid, { pod, worker, seat })
    keeper.keep(pod)
    keep(
      worker.finished.then(async () => {
        here.delete(uid)
        keeper.release(uid)
        tokens.forget(uid)
        claims.released()
        // nearly always empty
        await rmdir(tmp).catch(() => rm(tmp, { recursive: true, force: true }))
      }),
    )
    if (pod.metadata.deletionTimestamp !== undefined) worker.update(pod)
  }

  /** The object is gone: so are its processes and its folder, soon. */
  function drop(pod: Pod): void {
    const uid = pod.metadata.uid ?? ''
    const worker = workers.get(uid)
    worker?.end(ORPHAN_GRACE_MS)
    keep(
      (worker?.finished ?? Promise.resolve()).then(async () => {
        workers.delete(uid)
        logs.delete(uid)
        await rm(podDir(pod), { recursive: true, force: true })
      }),
    )
  }

  function keep(removal: Promise<void>): void {
    // A folder that cannot be removed (a process of another user in it) is no reason to stop the engine.
    const settled = removal.catch((error: Error) => note(`a pod's files were left behind: ${error.message}`))
    removals.add(settled)
    void settled.finally(() => removals.delete(settled))
  }

  async function end(graceMs: number): Promise<void> {
    const all = [...workers.values()]
    entry.giveUp()
    for (const worker of all) worker.end(graceMs)
    await Promise.all(all.map((worker) => worker.finished))
    await runner.close()
    reaper.dismiss()
    await recorder.flush()
    running.abort()
    await Promise.all(removals)
  }

  return {
    logs: {
      open: (pod, container, logOptions) => logsOf(pod).read(container, logOptions),
    },
    streams: createPodStreams((pod) => here.get(pod.metadata.uid ?? '')),
    capacity: entry.capacity,
    async start(signal) {
      if (signal.aborted || stopping !== undefined) return
      mkdirSync(dir, { recursive: true })
      const informer = createInformer({ client, clock, resource: Pods, fieldSelector: `spec.nodeName=${nodeName}` })
      informer.on((change) => (change.type === 'deleted' ? drop(change.object) : take(change.object)))
      const stopNow = (): void => void this.stop()
      signal.addEventListener('abort', stopNow, { once: true })
      const watching = Promise.all([informer, claims, keeper].map((part) => part.run(running.signal)))
      await entry.register(running.signal)
      // The first process would start it, but a pod may wait for long.
      if (removeDir !== undefined && stopping === undefined) reaper.prepare()
      await watching
      signal.removeEventListener('abort', stopNow)
      await stopping
    },
    stop({ graceMs = STOP_GRACE_MS } = {}) {
      if (stopping === undefined) stopping = end(graceMs)
      else for (const worker of workers.values()) worker.end(graceMs)
      return stopping
    },
  }
}

/** A path that can stand in a shell command: the folder's own, or that of a link to it. */
function plainPath(folder: string | undefined, link: string): string | undefined {
  if (folder === undefined || /^[\w@%+=:,./-]*$/.test(folder)) return folder
  mkdirSync(join(link, '..'), { recursive: true })
  try {
    symlinkSync(folder, link)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return link
}

function usesClaim({ metadata, spec }: Pod, namespace: string, name: string): boolean {
  return (
    metadata.namespace === namespace &&
    (spec.volumes ?? []).some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === name)
  )
}
