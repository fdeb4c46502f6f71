import type { Node, Pod } from '@trainjob/api'
import type { Change } from '@trainjob/kube'
import { isEnded } from '../job/pod-state.ts'
import { equal } from '../object/equal.ts'
import { createGangs } from './gangs.ts'
import { createLedger } from './ledger.ts'
import { createPendingPods } from './pending-pods.ts'
import { podRequests } from './pod-requests.ts'
import { type Binding, type Refusal, schedule } from './schedule.ts'

/** What a scheduler knows, kept up to date by the changes it is told of: each costs the same however many pods there are. */
export interface Bookkeeping {
  /** Whether it is worth scheduling again. */
  observePod(change: Change<Pod>): boolean
  observeNode(change: Change<Node>): boolean
  /** What is bound counts as taken at once. */
  schedule(): { bindings: Binding[]; refusals: Refusal[] }
  /** A binding that did not come about. `retry`: the pod still waits. */
  undo(binding: Binding, retry: boolean): void
  /** Pods held by gates that have not been told so; each is handed out once. */
  takeGated(): Pod[]
  /** True the first time it is asked about the job of a pod. */
  firstOfGang(pod: Pod): boolean
}

export function createBookkeeping(): Bookkeeping {
  const ledger = createLedger()
  const pending = createPendingPods()
  const gangs = createGangs()
  const gated = new Map<string, Pod>()
  let arrivals = 0

  function arrive(uid: string, pod: Pod): boolean {
    const known = pending.get(uid)
    if (known !== undefined) {
      known.pod = pod
      return false
    }
    if ((pod.spec.schedulingGates?.length ?? 0) > 0) {
      if (pod.status?.conditions?.some(({ reason }) => reason === 'SchedulingGated')) return false
      gated.set(uid, pod)
      return true
    }
    const { priority } = pod.spec
    pending.add({
      uid,
      pod,
      amounts: podRequests(pod.spec),
      priority: typeof priority === 'number' ? priority : 0,
      gangOrder: gangs.join(pod),
      order: arrivals++,
    })
    return true
  }

  function leave(uid: string, pod: Pod): boolean {
    pending.delete(uid)
    gated.delete(uid)
    gangs.leave(pod)
    return ledger.release(uid)
  }

  return {
    observePod(change) {
      const pod = change.object
      const { uid = '', deletionTimestamp } = pod.metadata
      if (change.type === 'deleted' || isEnded(pod)) return leave(uid, pod)
      if (pod.spec.nodeName !== undefined) {
        pending.delete(uid)
        gangs.join(pod)
        ledger.take(uid, pod.spec.nodeName, podRequests(pod.spec))
        return false
      }
      if (deletionTimestamp !== undefined) return leave(uid, pod)
      // One that is booked only waits for the cache to learn of its node.
      return ledger.has(uid) ? false : arrive(uid, pod)
    },
    observeNode(change) {
      if (change.type === 'deleted') ledger.deleteNode(change.object.metadata.name ?? '')
      // Heartbeats change a node all the time.
      else if (change.type === 'updated' && hasSameCapacity(change.old, change.object)) return false
      else ledger.setNode(change.object)
      return true
    },
    schedule: () => schedule(pending, ledger),
    undo({ pending: waiting }, retry) {
      ledger.release(waiting.uid)
      if (retry) pending.add(waiting)
    },
    takeGated() {
      const pods = [...gated.values()]
      gated.clear()
      return pods
    },
    firstOfGang: (pod) => gangs.firstTime(pod),
  }
}

function hasSameCapacity({ status: a }: Node, { status: b }: Node): boolean {
  return equal(a?.allocatable ?? a?.capacity, b?.allocatable ?? b?.capacity)
}
