/** What was seen after each step of a scenario. */
export type Trace = readonly Sight[]

/** What there is once a step has taken effect, without what is different each time: see `normal-form.ts`. */
export interface Sight {
  /** The step, in words. */
  readonly after: string
  /** Present when the server refused the step. */
  readonly refused?: Refusal
  /** By `Kind/name`; several where names differ in their random part only. */
  readonly objects: Readonly<Record<string, readonly unknown[]>>
  /** Events about each object (`Kind/name`) since the step before, in their order. */
  readonly events: Readonly<Record<string, readonly string[]>>
}

export interface Refusal {
  readonly code: number
  readonly reason: string
  /** Fields that the causes name. */
  readonly fields: readonly string[]
}
