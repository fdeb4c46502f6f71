import {
  ANCESTOR_DATASET_INITIALIZER,
  ANCESTOR_MODEL_INITIALIZER,
  addQuantities,
  formatQuantity,
  multiplyQuantity,
  type ObjectMeta,
  ZERO_QUANTITY,
} from '@trainjob/api'
import { findFact } from '../../find-fact.ts'
import type { Info, PodSet } from '../../info.ts'
import { ownerReference } from '../../owner.ts'
import { type Amounts, podRequests } from './pod-requests.ts'

/**
 * The pod sets that must be scheduled together.
 *
 * A gang waits until all its pods exist. Pods that come only when others have run, or are ready, would make it wait for
 * ever: those others, and initializers before them, are left out of it.
 */
export function gangOf(info: Info): readonly PodSet[] {
  return info.deviates('gang-of-those-who-start-together') ? thoseWhoStartTogether(info) : info.podSets
}

/** The pod sets that are there at the same time; all of them where nothing waits for anything. */
export function thoseWhoStartTogether({ podSets, template }: Info): readonly PodSet[] {
  const inOrder = template.startupPolicy?.startupPolicyOrder === 'InOrder'
  const waits = podSets.some(({ job }) => (job.dependsOn?.length ?? 0) > 0)
  if (podSets.length < 2 || !(inOrder || waits)) return podSets
  const initializers = podSets.filter(isInitializer)
  const others = podSets.filter((podSet) => !isInitializer(podSet))
  if (others.length === 0) return podSets
  if (inOrder) return others.slice(0, 1)
  const first = others.filter(({ job }) => !job.dependsOn?.some(({ name }) => others.some((one) => one.name === name)))
  const dependOn = new Set(podSets.flatMap(({ job }) => job.dependsOn?.map(({ name }) => name) ?? []))
  const unawaited = initializers.filter(({ name, job }) => !dependOn.has(name) && !job.dependsOn?.length)
  const together = first.some(({ job }) => job.dependsOn?.length) ? first : [...unawaited, ...first]
  return podSets.filter((podSet) => together.includes(podSet))
}

function isInitializer({ ancestor }: PodSet): boolean {
  return ancestor === ANCESTOR_DATASET_INITIALIZER || ancestor === ANCESTOR_MODEL_INITIALIZER
}

/** What a PodGroup says of its gang. */
export interface GangSize {
  readonly minMember: number
  readonly minResources: Readonly<Record<string, string>>
}

/** Pods of a gang and the sum of what they ask for. */
export function gangSize(podSets: readonly PodSet[]): GangSize {
  let minMember = 0
  const total: Amounts = new Map()
  for (const { count, podSpec } of podSets) {
    minMember += count
    for (const [name, amount] of podRequests(podSpec)) {
      total.set(name, addQuantities(total.get(name) ?? ZERO_QUANTITY, multiplyQuantity(amount, count)))
    }
  }
  const minResources: Record<string, string> = {}
  for (const [name, amount] of total) minResources[name] = formatQuantity(amount)
  return { minMember, minResources }
}

/** Whether the PodGroup may be written: when there is none yet, and while the job is suspended. */
export function mayWritePodGroup(info: Info, group: string): boolean {
  if (info.trainJob.spec.suspend === true) return true
  const { name = '' } = info.trainJob.metadata
  return findFact(info.facts, { group, kind: 'PodGroup', namespace: info.namespace, name }) === undefined
}

/** Name, namespace and owner of a job's PodGroup. */
export function podGroupMetadata({ trainJob, namespace }: Info): ObjectMeta {
  return { name: trainJob.metadata.name ?? '', namespace, ownerReferences: [ownerReference(trainJob)] }
}
