import type { Container, JobSet, PodSpec, ReplicatedJob, ResourceList, ResourceRequirements } from '@trainjob/api'
import { type Amounts, amountsOf, formatAmount, ONE } from './amounts.ts'
import { podRequests } from './pod-requests.ts'

/** What a machine has: `cpu`, `memory`, `nvidia.com/gpu` and the like. */
export type Capacity = ResourceList

/** Units of a cpu below which nothing is scheduled. */
const MILLI = ONE / 1000n

/**
 * Scales the requests and limits of a JobSet down so that all pods that run at the same time fit the machine, and drops
 * devices that there are not enough of. Pods of replicated jobs of which one waits for the completion of the other do
 * not count together. What fits is handed back as it is, and a scaled JobSet fits, so doing it twice changes nothing.
 *
 * @returns the JobSet, and a sentence for each thing that was changed
 */
export function fitJobSet(jobSet: JobSet, capacity: Capacity): { jobSet: JobSet; notes: string[] } {
  const machine = amountsOf(capacity)
  const jobs = jobSet.spec.replicatedJobs ?? []
  const demands = jobs.map((job) => ({ job, pods: podCount(job), requests: requestsOf(job) }))
  const notes = new Set<string>()
  const fitted = demands.map(({ job }) => {
    const together = demands.filter((other) => other.job === job || mayOverlap(jobs, job, other.job))
    const shares = sharesOf(together, machine)
    return shares.size === 0 ? job : shrink(job, shares, machine, notes)
  })
  if (fitted.every((job, at) => job === jobs[at])) return { jobSet, notes: [] }
  return { jobSet: { ...jobSet, spec: { ...jobSet.spec, replicatedJobs: fitted } }, notes: [...notes] }
}

interface Demand {
  readonly job: ReplicatedJob
  readonly pods: bigint
  readonly requests: Amounts
}

/** The part of its requests that each pod may keep, for the resources that are short. */
interface Share {
  readonly has: bigint
  readonly wanted: bigint
  readonly pods: bigint
}

function sharesOf(demands: readonly Demand[], machine: Amounts): Map<string, Share> {
  const wanted = new Map<string, { amount: bigint; pods: bigint }>()
  for (const { pods, requests } of demands) {
    for (const [name, amount] of requests) {
      if (amount === 0n || name === 'pods') continue
      const sum = wanted.get(name) ?? { amount: 0n, pods: 0n }
      wanted.set(name, { amount: sum.amount + amount * pods, pods: sum.pods + pods })
    }
  }
  const shares = new Map<string, Share>()
  for (const [name, { amount, pods }] of wanted) {
    const has = machine.get(name)
    if (has === undefined && name === 'ephemeral-storage') continue
    if (amount > (has ?? 0n)) shares.set(name, { has: has ?? 0n, wanted: amount, pods })
  }
  return shares
}

function shrink(
  job: ReplicatedJob,
  shares: ReadonlyMap<string, Share>,
  machine: Amounts,
  notes: Set<string>,
): ReplicatedJob {
  const spec = job.template.spec?.template.spec
  if (job.template.spec === undefined || spec === undefined) return job
  const list = (amounts: ResourceList): ResourceList => {
    const result: ResourceList = {}
    for (const [name, amount] of amountsOf(amounts)) {
      const share = shares.get(name)
      const kept = share === undefined ? undefined : portion(name, amount, share)
      if (share === undefined) result[name] = amounts[name] as string
      else if (kept !== undefined) result[name] = formatAmount(name, kept)
      if (share !== undefined && amount > 0n) notes.add(note(job.name, name, amount, kept, share, machine))
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

/** Rounded down; devices come whole or not at all, everything else is never less than its smallest unit. */
function portion(name: string, amount: bigint, { has, wanted }: Share): bigint | undefined {
  const unit = name === 'cpu' ? MILLI : ONE
  const kept = ((amount * has) / wanted / unit) * unit
  if (kept > 0n) return kept
  return isDevice(name) || amount === 0n ? undefined : unit
}

/** Anything but what every machine has some of: `nvidia.com/gpu`, `example.com/fpga`. */
function isDevice(name: string): boolean {
  return name.includes('/')
}

function note(
  job: string,
  name: string,
  amount: bigint,
  kept: bigint | undefined,
  { pods }: Share,
  machine: Amounts,
): string {
  const there = formatAmount(name, machine.get(name) ?? 0n)
  const asked = `${formatAmount(name, amount)} ${name} for each pod of ${job}`
  if (kept === undefined) return `${asked}: this machine has ${there} for ${pods} pods, so they get none`
  return `${asked} lowered to ${formatAmount(name, kept)}: this machine has ${there} for ${pods} pods`
}

function podCount({ replicas = 1, template }: ReplicatedJob): bigint {
  const { parallelism = 1, completions = parallelism } = template.spec ?? {}
  return BigInt(replicas) * BigInt(Math.min(parallelism, completions))
}

function requestsOf({ template }: ReplicatedJob): Amounts {
  const spec = template.spec?.template.spec
  return spec === undefined ? new Map() : podRequests(spec)
}

/** Whether pods of both can run at the same time: not when one is created only after the other has completed. */
function mayOverlap(jobs: readonly ReplicatedJob[], a: ReplicatedJob, b: ReplicatedJob): boolean {
  return !waitsFor(jobs, a, b) && !waitsFor(jobs, b, a)
}

function waitsFor(jobs: readonly ReplicatedJob[], job: ReplicatedJob, other: ReplicatedJob): boolean {
  const seen = new Set<string>()
  const visit = (name: string): boolean => {
    if (seen.has(name)) return false
    seen.add(name)
    const dependencies = jobs.find((candidate) => candidate.name === name)?.dependsOn ?? []
    return dependencies.some(
      (dependency) => dependency.status === 'Complete' && (dependency.name === other.name || visit(dependency.name)),
    )
  }
  return visit(job.name)
}
