/** An event that a pass over an object wants recorded on it, once what the pass decided has been written. */
export interface PassEvent {
  readonly type: 'Normal' | 'Warning'
  /** UpperCamelCase, for example `BackoffLimitExceeded`. */
  readonly reason: string
  readonly message: string
}
