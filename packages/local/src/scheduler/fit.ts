import type { Container, JobSet, PodSpec, ReplicatedJob, ResourceList, ResourceRequirements } from '@trainjob/api'
import { type Amounts, amountsOf, formatAmount, ONE } from './amounts.ts'
import { heaviestTogether } from './overlap.ts'
import { podRequests } from './pod-requests.ts'

/** What a machine has: `cpu`, `memory`, `nvidia.com/gpu` and the like. */
export type Capacity = ResourceList

/** The smallest part of a cpu. */
const MILLI = ONE / 1000n

/**
 * Scales the requests and limits of a JobSet down so that all pods that run at the same time fit the machine, and drops
 * devices that there are not enough of. Replicated jobs of which one waits for the completion of the other do not count
 * together. What fits is handed back as it is, and a scaled JobSet fits, so doing it twice changes nothing.
 *
 * @returns the JobSet, and a sentence for each thing that was changed
 */
export function fitJobSet(jobSet: JobSet, capacity: Capacity): { jobSet: JobSet; notes: string[] } {
  const machine = amountsOf(capacity)
  const jobs = jobSet.spec.replicatedJobs ?? []
  const requests = jobs.map(requestsOf)
  const notes = new Set<string>()
  const fitted = jobs.map((job, at) => {
    const shares = sharesOf(jobs, requests, at, machine)
    return shares.size === 0 ? job : shrink(job, shares, notes)
  })
  if (notes.size === 0) return { jobSet, notes: [] }
  return { jobSet: { ...jobSet, spec: { ...jobSet.spec, replicatedJobs: fitted } }, notes: [...notes] }
}

/** A resource that is short: the part of a request that may be kept is `has / wanted`. */
interface Share {
  readonly has: bigint
  readonly wanted: bigint
}

function sharesOf(
  jobs: readonly ReplicatedJob[],
  requests: readonly Amounts[],
  index: number,
  machine: Amounts,
): Map<string, Share> {
  const shares = new Map<string, Share>()
  for (const [name, amount] of requests[index] ?? []) {
    const has = machine.get(name)
    if (amount === 0n || name === 'pods' || (has === undefined && name === 'ephemeral-storage')) continue
    const weights = jobs.map((job, at) => (requests[at]?.get(name) ?? 0n) * podCount(job))
    const wanted = heaviestTogether(jobs, weights, index)
    if (wanted > (has ?? 0n)) shares.set(name, { has: has ?? 0n, wanted })
  }
  return shares
}

function shrink(job: ReplicatedJob, shares: ReadonlyMap<string, Share>, notes: Set<string>): ReplicatedJob {
  const spec = job.template.spec?.template.spec
  if (job.template.spec === undefined || spec === undefined) return job
  const list = (amounts: ResourceList): ResourceList => {
    const result: ResourceList = {}
    for (const [name, amount] of amountsOf(amounts)) {
      const share = shares.get(name)
      const kept = share === undefined ? undefined : portion(name, amount, share)
      if (share === undefined) result[name] = amounts[name] as string
      else if (kept !== undefined) result[name] = formatAmount(name, kept)
      if (share !== undefined && amount > 0n) notes.add(note(job.name, name, amount, kept, share))
    }
    return result
  }
  const container = (own: Container): Container =>
    own.resources === undefined ? own : { ...own, resources: resources(own.resources, list) }
  const shrunk: PodSpec = {
    ...spec,
    containers: spec.containers.map(container),
    ...(spec.initContainers !== undefined && { initContainers: spec.initContainers.map(container) }),
    ...(spec.overhead !== undefined && { overhead: list(spec.overhead) }),
  }
  const template = { ...job.template.spec.template, spec: shrunk }
  return { ...job, template: { ...job.template, spec: { ...job.template.spec, template } } }
}

function resources(own: ResourceRequirements, list: (amounts: ResourceList) => ResourceList): ResourceRequirements {
  return {
    ...own,
    ...(own.requests !== undefined && { requests: list(own.requests) }),
    ...(own.limits !== undefined && { limits: list(own.limits) }),
  }
}

/** Rounded down to whole units: thousandths of a cpu, else ones. Of a device there is at least one or none at all. */
function portion(name: string, amount: bigint, { has, wanted }: Share): bigint | undefined {
  const unit = name === 'cpu' ? MILLI : ONE
  const kept = ((amount * has) / wanted / unit) * unit
  return kept === 0n && amount > 0n && isDevice(name) ? undefined : kept
}

/** Anything but what every machine has some of: `nvidia.com/gpu`, `example.com/fpga`. */
function isDevice(name: string): boolean {
  return name.includes('/')
}

function note(job: string, name: string, amount: bigint, kept: bigint | undefined, { has, wanted }: Share): string {
  const asked = `${formatAmount(name, amount)} ${name} for each pod of ${job}`
  const why = `${formatAmount(name, wanted)} requested at once, this machine has ${formatAmount(name, has)}`
  if (kept === undefined) return `${asked} dropped: ${why}`
  return `${asked} lowered to ${formatAmount(name, kept)}: ${why}`
}

function podCount({ replicas = 1, template }: ReplicatedJob): bigint {
  const { parallelism = 1, completions = parallelism } = template.spec ?? {}
  return BigInt(replicas) * BigInt(Math.min(parallelism, completions))
}

function requestsOf({ template }: ReplicatedJob): Amounts {
  const spec = template.spec?.template.spec
  return spec === undefined ? new Map() : podRequests(spec)
}
