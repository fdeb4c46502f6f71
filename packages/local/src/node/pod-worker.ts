import type { Pod, PodStatus } from '@trainjob/api'
import type { Clock } from '@trainjob/kube'
import { startFetch } from './fetcher/start-fetch.ts'
import { type ContainerRecord, type PodRecord, type Terminated, takeOver } from './lifecycle/container-record.ts'
import { type Decision, decide } from './lifecycle/decide.ts'
import { podStatus } from './lifecycle/pod-status.ts'
import { nextRestart, type RestartBackoff } from './lifecycle/restart-backoff.ts'
import type { ContainerLog } from './log/container-log.ts'
import type { PodLogs } from './log/log-store.ts'
import type { PodSeat } from './network/pod-network.ts'
import { type NodeSurroundings, type PodFolders, prepareContainer } from './prepare-container.ts'
import type { ContainerExit, ExecSpec, OutputStream, Runner } from './runner.ts'
import { type AttemptEvents, type RunningAttempt, startAttempt } from './running-attempt.ts'
import { createStatusWriter } from './status-writer.ts'
import { terminationMessage } from './termination/termination-message.ts'
import type { TerminationPlace } from './termination/termination-place.ts'

/** Runs one pod from the moment it is bound to this node until nothing of it is left. */
export interface PodWorker {
  /** The API server has a newer state of the pod. */
  update(pod: Pod): void
  /** Ends the containers within `graceMs`, whatever the pod says; called again with less, it hurries. */
  end(graceMs: number): void
  /** The attempt of a container that runs now. */
  running(container: string): Pick<RunningAttempt, 'exec' | 'attach'> | undefined
  /** Resolves when no process of the pod is left and its status was written. */
  readonly finished: Promise<void>
}

/** What a worker writes to the API server. Both settle only when they have succeeded or the pod is gone. */
export interface PodReports {
  writeStatus(pod: Pod, status: PodStatus): Promise<void>
  /** Removes the pod object, which waits only for its containers. */
  finalize(pod: Pod): Promise<void>
  event(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void
}

export interface PodWorkerOptions {
  readonly pod: Pod
  readonly seat: PodSeat
  readonly folders: PodFolders
  readonly logs: PodLogs
  readonly node: NodeSurroundings
  readonly runner: Runner
  readonly reports: PodReports
  readonly clock: Clock
  readonly backoff: RestartBackoff
}

const DEFAULT_GRACE_SECONDS = 30
/** As of a process that SIGTERM ends. */
const CUT_SHORT = 143
/** A container that cannot be started as written is tried again after this long, since what it misses may come. */
const CONFIG_RETRY_MS = 1_000
/** Exit code of a container that cannot be started at all (as containerd reports it). */
const START_ERROR = 128

export function createPodWorker(options: PodWorkerOptions): PodWorker {
  const { seat, folders, logs, node, runner, reports, clock, backoff } = options
  let pod = options.pod
  let record: PodRecord = takeOver(pod, clock.now())
  const live = new Map<string, RunningAttempt>()
  const starting = new Set<string>()
  const stop = new AbortController()
  /** When the ending pod's patience ends, milliseconds since the epoch. */
  let graceUntil: number | undefined
  let backingOff: readonly string[] = []
  let cancelWake: (() => void) | undefined
  let finish: () => void
  let over = false
  let finalizing = false
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const name = `${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`
  const writer = createStatusWriter(statusNow, (status) => reports.writeStatus(pod, status))

  function change(container: string, update: Partial<ContainerRecord>): void {
    record = { ...record, containers: record.containers.map((c) => (c.name === container ? { ...c, ...update } : c)) }
  }

  function find(container: string): ContainerRecord {
    return record.containers.find((c) => c.name === container) as ContainerRecord
  }

  /** Looks at everything once and does what is due. */
  function step(): void {
    if (over) return
    const wakeAt = checkDeadline()
    const decision = decide(pod.spec, record, clock.now(), backoff)
    noteBackOff(decision)
    for (const container of decision.start) if (!starting.has(container)) begin(container)
    for (const container of decision.terminate) ask(container)
    cancelWake?.()
    const next = Math.min(wakeAt, decision.wakeAt ?? Number.POSITIVE_INFINITY)
    cancelWake = next === Number.POSITIVE_INFINITY ? undefined : clock.after(Math.max(0, next - clock.now()), step)
    if (decision.done && starting.size === 0) conclude()
    writer.request()
  }

  function checkDeadline(): number {
    const { activeDeadlineSeconds } = pod.spec
    if (activeDeadlineSeconds === undefined || record.ending !== undefined) return Number.POSITIVE_INFINITY
    const at = record.startTime + activeDeadlineSeconds * 1000
    if (clock.now() < at) return at
    endAll((pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) * 1000, {
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than the specified deadline',
    })
    return Number.POSITIVE_INFINITY
  }

  function noteBackOff(decision: Decision): void {
    for (const container of decision.backingOff) {
      if (backingOff.includes(container)) continue
      const message = `Back-off restarting failed container ${container} in pod ${name}`
      reports.event(pod, 'Warning', 'BackOff', message)
    }
    backingOff = decision.backingOff
  }

  function begin(container: string): void {
    starting.add(container)
    const before = find(container)
    if (before.state.kind === 'terminated') {
      const { backoffMs } = nextRestart(before, backoff)
      const state = { kind: 'waiting', reason: 'ContainerCreating' } as const
      change(container, { attempt: before.attempt + 1, state, last: before.state, backoffMs })
    }
    start(find(container))
      .catch((error: Error) => waitAgain(container, 'CreateContainerError', error.message))
      .finally(() => {
        starting.delete(container)
        step()
      })
  }

  async function start(container: ContainerRecord): Promise<void> {
    const prepared = await prepareContainer(pod, container.spec, container.attempt, folders, seat, node, stop.signal)
    if (record.ending !== undefined) return
    if (!prepared.ok && prepared.fault.reason !== 'StartError') {
      waitAgain(container.name, prepared.fault.reason, prepared.fault.message)
      return
    }
    const log = logs.open(container.name, container.attempt, (error) => failForLog(container.name, log, error))
    if (!prepared.ok) {
      settle(container.name, log, { code: START_ERROR, startFailure: prepared.fault.message }, clock.now())
      return
    }
    const { termination, fetch, ...spec } = prepared.value
    const viewers = new Set<ExecSpec['onOutput']>()
    const onOutput = (stream: OutputStream, chunk: Buffer): void => {
      log.write(stream, chunk)
      for (const view of viewers) void view(stream, chunk)
    }
    const id = `${pod.metadata.uid}/${container.name}/${container.attempt}`
    const handle = fetch === undefined ? runner.start({ ...spec, id, onOutput }) : startFetch(fetch, clock, onOutput)
    const startedAt = clock.now()
    const settled = (exit: ContainerExit): void => settle(container.name, log, exit, startedAt, termination)
    if (handle.pid === undefined) {
      // it may have to fetch an image first: nobody waits for that any more when the pod ends
      const giveUp = (): void => handle.kill()
      stop.signal.addEventListener('abort', giveUp, { once: true })
      const started = await handle.started
      stop.signal.removeEventListener('abort', giveUp)
      if (!started) {
        settled(await handle.exit)
        return
      }
    }
    const events = attemptEvents(container.name)
    change(container.name, { state: { kind: 'running', startedAt } })
    reports.event(pod, 'Normal', 'Started', `Started container ${container.name}`)
    live.set(container.name, startAttempt({ container: container.spec, handle, clock, network: seat, events, viewers }))
    void handle.exit.then(settled)
  }

  function attemptEvents(container: string): AttemptEvents {
    return {
      onStarted() {
        change(container, { started: true })
        step()
      },
      onReady(ready, message) {
        change(container, { ready })
        if (!ready) reports.event(pod, 'Warning', 'Unhealthy', `Readiness probe failed: ${message}`)
        step()
      },
      onUnhealthy(why, { reason, message }, graceMs) {
        reports.event(pod, 'Warning', reason, message)
        ask(container, why, graceMs)
      },
      onHookFailed: (reason, message) => reports.event(pod, 'Warning', reason, message),
    }
  }

  function waitAgain(container: string, reason: string, message: string): void {
    const before = find(container).state
    if (before.kind !== 'waiting' || before.message !== message) {
      reports.event(pod, 'Warning', 'Failed', `Error: ${message}`)
    }
    change(container, { state: { kind: 'waiting', reason, message, until: clock.now() + CONFIG_RETRY_MS } })
  }

  function failForLog(container: string, log: ContainerLog, error: Error): void {
    const running = live.get(container)
    if (running === undefined) return
    const cause = `the log of container ${container} cannot be written to ${log.path}: ${error.message}; make room there and run it again`
    reports.event(pod, 'Warning', 'Failed', `Error: ${cause}`)
    running.kill(cause)
  }

  /** An attempt is over. */
  function settle(
    container: string,
    log: ContainerLog,
    exit: ContainerExit,
    startedAt: number,
    termination?: TerminationPlace,
  ): void {
    const running = live.get(container)
    running?.over()
    live.delete(container)
    if (exit.startFailure !== undefined) {
      log.write('stderr', Buffer.from(`${exit.startFailure}\n`))
      reports.event(pod, 'Warning', 'Failed', `Error: ${exit.startFailure}`)
    }
    log.close()
    const { terminationMessagePolicy } = find(container).spec
    const said =
      termination === undefined
        ? undefined
        : terminationMessage({ message: termination, log: log.path }, terminationMessagePolicy, exit.code)
    const message = exit.startFailure ?? running?.cause ?? said
    // a command that ends in peace because it was asked to has not done its work
    const cut = record.ending?.suspended === true && running?.ending === true && exit.code === 0
    const state: Terminated = {
      kind: 'terminated',
      exitCode: cut ? CUT_SHORT : exit.code,
      reason: cut ? 'Error' : reasonOf(exit),
      ...(exit.signal === undefined ? {} : { signal: exit.signal }),
      ...(message === undefined ? {} : { message }),
      startedAt,
      finishedAt: clock.now(),
    }
    change(container, { state, ready: false, started: false })
    step()
  }

  /** Asks a container to end, and makes it when the grace period is over. */
  function ask(container: string, because?: string, ownGraceMs?: number): void {
    const running = live.get(container)
    if (running === undefined || running.ending) return
    reports.event(pod, 'Normal', 'Killing', because ?? `Stopping container ${container}`)
    const graceMs = ownGraceMs ?? (pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) * 1000
    running.end(graceUntil === undefined ? graceMs : graceUntil - clock.now())
  }

  function endAll(graceMs: number, ending: NonNullable<PodRecord['ending']>): void {
    const until = clock.now() + graceMs
    if (record.ending === undefined) {
      record = { ...record, ending }
      stop.abort()
      graceUntil = until
    } else if (graceUntil === undefined || until < graceUntil) {
      graceUntil = until
      for (const running of live.values()) if (running.ending) running.hurry(graceMs)
    }
  }

  function conclude(): void {
    over = true
    cancelWake?.()
    if (record.ending === undefined) record = { ...record, ending: {} }
    seat.leave()
    writer
      .drain()
      .then(() => finalizeIfDeleted())
      .finally(() => finish())
  }

  async function finalizeIfDeleted(): Promise<void> {
    if (!over || finalizing || pod.metadata.deletionTimestamp === undefined) return
    finalizing = true
    await reports.finalize(pod)
  }

  function statusNow(): PodStatus {
    const place = { hostIP: node.hostIP, podIP: seat.ip, uid: pod.metadata.uid ?? '', name }
    return podStatus(pod.spec, record, backingOff, pod.status?.conditions ?? [], place, clock.now())
  }

  step()
  return {
    finished,
    running: (container) => live.get(container),
    update(next) {
      pod = next
      const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata
      if (deletionTimestamp === undefined) return
      if (over) {
        void finished.then(finalizeIfDeleted)
        return
      }
      const seconds = deletionGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS
      endAll(seconds * 1000, {})
      step()
    },
    end(graceMs) {
      endAll(graceMs, { suspended: true })
      step()
    },
  }
}

function reasonOf({ code, startFailure, oomKilled }: ContainerExit): string {
  if (startFailure !== undefined) return 'StartError'
  if (oomKilled === true) return 'OOMKilled'
  return code === 0 ? 'Completed' : 'Error'
}
