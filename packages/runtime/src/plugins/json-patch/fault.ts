import { type Pointer, writePointer } from './pointer.ts'

/** Why an operation cannot be done: where it stopped and what was found there. */
export class PatchFault extends Error {
  constructor(reached: Pointer, found: string) {
    super(`it stopped at ${writePointer(reached) || 'the JobSet'}: ${found}`)
  }
}
