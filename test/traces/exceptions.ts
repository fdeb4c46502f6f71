import { isDeepStrictEqual } from 'node:util'
import type { Sight, Trace } from './trace.ts'

/** A difference between the embedded cluster and a real one that is meant to be, or that nothing decides on. */
export interface Exception {
  readonly name: string
  readonly why: string
  /** The sight without what the exception is about; `other` is what the other cluster showed at the same time. */
  relax(sight: Sight, other: Sight): Sight
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    name: 'events about a JobSet have no order and no count',
    why: "JobSet's recorder writes each event in a goroutine of its own, and counts repetitions minutes later",
    relax: (sight) =>
      changeEvents(sight, (subject, events) =>
        subject.startsWith('JobSet/') ? events.map((event) => event.replace(/, \d+ times\)$/, ')')).sort() : events,
      ),
  },
  {
    name: 'an event says that a Job could not be created because it exists',
    why: "JobSet's cache can be older than its own writes, so it says this of Jobs that it has just created, now and then; ours says it of those of others, and what to do",
    relax: (sight) => changeEvents(sight, (_, events) => events.filter((event) => !TWICE.test(event))),
  },
  {
    name: "refusals by JobSet's webhook need not name the field",
    why: "most of JobSet's checks name none, and that of claims one that is not there; ours name the field as it is written",
    relax(sight, other) {
      const { refused } = sight
      if (refused === undefined) return sight
      const silent = [sight, other].some((either) => either.refused?.fields.includes('<nil>'))
      const fields = silent ? [] : refused.fields.filter((field) => !CLAIM_NAME.test(field))
      return { ...sight, refused: { ...refused, fields } }
    },
  },
  {
    name: 'an event says that placement is ignored',
    why: 'there is only one machine, so the embedded scheduler does not look at node selectors and says so',
    relax: (sight) =>
      changeEvents(sight, (_, events) => events.filter((event) => !event.startsWith('Normal PlacementIgnored:'))),
  },
]

const CLAIM_NAME = /^spec\.volumeClaimPolicies\[\d+\]\.templates?\[\d+\]\.(metadata\.)?name$/
const TWICE = /^Warning JobCreationFailed: .*(already exists \(|a Job of that name exists)/s

/**
 * A scheduler tells of a binding some time after it, when the next step may be under way. Traces are about the Job and
 * JobSet engines, so what it says is left out on both sides.
 */
const SCHEDULED = /^Normal Scheduled:/

/** The sights of two clusters without what is excepted. */
function relaxed(a: Sight, b: Sight, exceptions: readonly Exception[] = EXCEPTIONS): readonly [Sight, Sight] {
  let [left, right] = [withoutScheduled(a), withoutScheduled(b)]
  for (const { relax } of exceptions) [left, right] = [relax(left, right), relax(right, left)]
  return [left, right]
}

/** The traces of two clusters without what is excepted. */
export function relaxedTraces(
  a: Trace,
  b: Trace,
  exceptions: readonly Exception[] = EXCEPTIONS,
): readonly [Trace, Trace] {
  const pairs = a.map((sight, at) => relaxed(sight, b[at] ?? NOTHING, exceptions))
  return [pairs.map(([left]) => left), pairs.map(([, right]) => right)]
}

function withoutScheduled(sight: Sight): Sight {
  return changeEvents(sight, (_, events) => events.filter((event) => !SCHEDULED.test(event)))
}

/** Whether two clusters show the same, but for what is excepted. */
export function agree(a: Sight, b: Sight, exceptions: readonly Exception[] = EXCEPTIONS): boolean {
  const [left, right] = relaxed(a, b, exceptions)
  return isDeepStrictEqual(left, right)
}

const NOTHING: Sight = { after: '', objects: {}, events: {} }

function changeEvents(sight: Sight, change: (subject: string, events: readonly string[]) => readonly string[]): Sight {
  const changed = Object.entries(sight.events)
    .map(([subject, events]) => [subject, change(subject, events)] as const)
    .filter(([, events]) => events.length > 0)
  return { ...sight, events: Object.fromEntries(changed) }
}
