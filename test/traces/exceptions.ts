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
      const fields = silent ? [] : refused.fields.filter((field) => !CLAIM_FIELD.test(field))
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

const CLAIM_FIELD = /^spec\.volumeClaimPolicies\[\d+\]\.templates?\[\d+\]\.(spec|(metadata\.)?name)$/
const TWICE = /^Warning JobCreationFailed: .*(already exists \(|a Job of that name exists)/s

/**
 * What a real cluster decides by chance, run by run, so that no test can insist on seeing it. A binding is told of some
 * time after it, when the next step may be under way: `Scheduled` is compared for a trace as a whole. And where two
 * controllers of the real cluster race, one of them can be late on a busy machine: a scenario that differs is played
 * once more, and must differ again to count; not more of them than this.
 */
export const MOST_REPLAYED = 3
const SCHEDULED = /^Normal Scheduled:/

/** The sights of two clusters without what is excepted. */
function relaxed(a: Sight, b: Sight, exceptions: readonly Exception[] = EXCEPTIONS): readonly [Sight, Sight] {
  let [left, right] = [a, b]
  for (const { relax } of exceptions) [left, right] = [relax(left, right), relax(right, left)]
  return [left, right]
}

/** The traces of two clusters without what is excepted. */
export function relaxedTraces(
  a: Trace,
  b: Trace,
  exceptions: readonly Exception[] = EXCEPTIONS,
): readonly [Trace, Trace] {
  const [left, right] = [scheduledLast(a), scheduledLast(b)]
  const pairs = left.map((sight, at) => relaxed(sight, right[at] ?? NOTHING, exceptions))
  return [pairs.map(([ours]) => ours), pairs.map(([, theirs]) => theirs)]
}

/** As if everything that was said of bindings had been said in the end, each kind of pod in any order. */
function scheduledLast(trace: Trace): Trace {
  const said: Record<string, string[]> = {}
  for (const { events } of trace) {
    for (const [subject, lines] of Object.entries(events)) {
      const bindings = lines.filter((line) => SCHEDULED.test(line))
      if (bindings.length > 0) said[subject] = [...(said[subject] ?? []), ...bindings].sort()
    }
  }
  const end: Sight = { after: 'everything: bindings', objects: {}, events: said }
  return [...trace.map(withoutScheduled), end]
}

function withoutScheduled(sight: Sight): Sight {
  return changeEvents(sight, (_, events) => events.filter((event) => !SCHEDULED.test(event)))
}

/** Whether two clusters show the same at one time, but for what is excepted and for bindings. */
export function agree(a: Sight, b: Sight, exceptions: readonly Exception[] = EXCEPTIONS): boolean {
  const [left, right] = relaxed(withoutScheduled(a), withoutScheduled(b), exceptions)
  return isDeepStrictEqual(left, right)
}

/** Whether two clusters have shown the same all the time, but for what is excepted. */
export function agreeThroughout(a: Trace, b: Trace): boolean {
  const [left, right] = relaxedTraces(a, b)
  return isDeepStrictEqual(left, right)
}

const NOTHING: Sight = { after: '', objects: {}, events: {} }

function changeEvents(sight: Sight, change: (subject: string, events: readonly string[]) => readonly string[]): Sight {
  const changed = Object.entries(sight.events)
    .map(([subject, events]) => [subject, change(subject, events)] as const)
    .filter(([, events]) => events.length > 0)
  return { ...sight, events: Object.fromEntries(changed) }
}
