import { toCanonical } from '@trainjob/api/dialect'
import { validateRuntime } from '@trainjob/runtime'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Question } from '../oracle/oracle.ts'
import { question, update } from '../render/question-arbitrary.ts'
import { seeded } from '../render/seeded.ts'

it('canonical objects stay as they are: no annotation, no note, no other order', () => {
  fc.assert(
    fc.property(fc.oneof(question, update), ({ runtimes, trainJob, oldTrainJob }) => {
      // a runtime that upstream refuses may be one in another form
      const accepted = runtimes.filter((runtime) => validateRuntime(runtime).errors.length === 0)
      for (const object of [...accepted, trainJob]) {
        const stored = object === trainJob ? oldTrainJob : undefined
        const { object: after, notes } = toCanonical(object, stored === undefined ? {} : { stored })
        expect(notes).toEqual([])
        expect(JSON.stringify(after)).toBe(JSON.stringify(object))
      }
    }),
    seeded<[Question]>('canonical objects through the translation', 500),
  )
})
