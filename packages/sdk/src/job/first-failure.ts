import type { ContainerState, Pod } from '@trainjob/api'
import { type Client, lines } from '@trainjob/kube'
import type { FirstFailure } from '../outcome.ts'
import type { JobObserver } from './job-observer.ts'
import { nodeNameOf } from './node-name.ts'

const RESTART_ATTEMPT = 'jobset.sigs.k8s.io/restart-attempt'

/** The longest wait of a kubelet between two starts: a node that has not failed for longer had recovered. */
const RECOVERED_AFTER_MS = 300_000

/** When all nodes fail together, the lines of so many are kept. */
const NODES_KEPT = 8

/** One end of a container with another exit code than 0. */
interface Failure {
  readonly pod: Pod
  readonly container: string
  readonly terminated: NonNullable<ContainerState['terminated']>
  /** The container runs again: this run's log is the previous one. */
  readonly previous: boolean
}

interface FailingNode {
  readonly attempt: number
  /** When it failed for the first time in this attempt. */
  readonly since: number
  readonly latest: Failure
  readonly lines: Promise<readonly string[]>
}

/** Watches for the node that fails first, and keeps its last lines while they can still be read. */
export interface FailureWatch {
  /** The first failing node of the last attempt. */
  first(): Promise<FirstFailure | undefined>
  stop(): void
}

/**
 * Pods of a failed job are deleted, and their logs with them: what a node said last must be fetched when it fails, not
 * when the job does.
 */
export function watchFailures(
  client: Client,
  observer: JobObserver,
  lastLines: number,
  signal: AbortSignal,
): FailureWatch {
  const nodes = new Map<string, FailingNode>()

  function look(pod: Pod): void {
    const attempt = Number(pod.metadata.labels?.[RESTART_ATTEMPT] ?? 0)
    const node = nodeNameOf(pod)
    for (const failure of failuresOf(pod)) {
      const old = nodes.get(node)
      const before = old?.attempt === attempt ? old : undefined
      if (old !== undefined && (old.attempt > attempt || isSeen(old.latest, failure))) continue
      const kept = before !== undefined || nodes.size < NODES_KEPT
      const earlier = before?.lines ?? Promise.resolve([])
      nodes.set(node, {
        attempt,
        since: Math.min(before?.since ?? Number.POSITIVE_INFINITY, timeOf(failure)),
        latest: failure,
        lines: kept
          ? tail(client, failure, lastLines, signal).then((now) => (now.length > 0 ? now : earlier))
          : earlier,
      })
    }
  }

  return {
    async first() {
      const found = firstOf(nodes)
      if (found === undefined) return undefined
      const [node, { latest, lines: last }] = found
      const { exitCode, reason = 'Error', message } = latest.terminated
      return {
        node,
        pod: latest.pod.metadata.name ?? '',
        container: latest.container,
        exitCode,
        reason,
        ...(message !== undefined && message !== '' && { message }),
        lastLines: await last,
      }
    },
    stop: observer.onPod(look),
  }
}

function firstOf(nodes: ReadonlyMap<string, FailingNode>): [string, FailingNode] | undefined {
  let [attempt, end] = [0, 0]
  for (const node of nodes.values()) {
    if (node.attempt > attempt) [attempt, end] = [node.attempt, 0]
    if (node.attempt === attempt) end = Math.max(end, timeOf(node.latest))
  }
  let first: [string, FailingNode] | undefined
  for (const entry of nodes) {
    const [, node] = entry
    if (node.attempt !== attempt || timeOf(node.latest) < end - RECOVERED_AFTER_MS) continue
    if (first === undefined || node.since < first[1].since) first = entry
  }
  return first
}

/** Oldest first. What ends because its pod was told to go is no failure. */
function failuresOf(pod: Pod): readonly Failure[] {
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {}
  return [...initContainerStatuses, ...containerStatuses].flatMap(({ name, state, lastState }) => {
    const leaving = pod.metadata.deletionTimestamp !== undefined
    const [before, now] = [lastState?.terminated, leaving ? undefined : state?.terminated]
    const again = state?.waiting === undefined
    return [
      ...(before !== undefined && before.exitCode !== 0
        ? [{ pod, container: name, terminated: before, previous: again }]
        : []),
      ...(now !== undefined && now.exitCode !== 0 ? [{ pod, container: name, terminated: now, previous: false }] : []),
    ]
  })
}

function isSeen(latest: Failure, failure: Failure): boolean {
  const same =
    latest.pod.metadata.uid === failure.pod.metadata.uid &&
    latest.container === failure.container &&
    latest.terminated.containerID === failure.terminated.containerID &&
    latest.terminated.startedAt === failure.terminated.startedAt &&
    latest.terminated.finishedAt === failure.terminated.finishedAt
  return same || timeOf(latest) > timeOf(failure)
}

function timeOf({ terminated, pod }: Failure): number {
  return Date.parse(terminated.finishedAt ?? pod.metadata.creationTimestamp ?? '') || 0
}

async function tail(client: Client, failure: Failure, count: number, signal: AbortSignal): Promise<readonly string[]> {
  const { namespace = 'default', name = '' } = failure.pod.metadata
  const { container, previous } = failure
  const found: string[] = []
  try {
    const log = client.logs({ namespace, name }, { container, tailLines: count, signal, ...(previous && { previous }) })
    for await (const line of lines(log)) found.push(line)
  } catch {
    // the pod may be gone; what was fetched of an earlier failure serves then
  }
  return found
}
