import { describe, expect, it } from 'vitest'
import { goesWrong, isSuspended, objectsOf, POLICIES } from './policies.ts'
import { SCENARIOS } from './scenarios/index.ts'

const scenarios = Object.values(SCENARIOS).flat()

describe.each(POLICIES)('$name', ({ usedBy }) => {
  const own = scenarios.filter((scenario) => objectsOf(scenario).some(usedBy))
  const names = (which: typeof own): string[] => which.map(({ name }) => name)

  it('is seen in at least three scenarios', () => {
    expect(names(own).length).toBeGreaterThanOrEqual(3)
  })

  it('is seen where something goes wrong', () => {
    expect(names(own.filter(goesWrong))).not.toEqual([])
  })

  it('is seen with a suspension', () => {
    expect(names(own.filter(isSuspended))).not.toEqual([])
  })
})
