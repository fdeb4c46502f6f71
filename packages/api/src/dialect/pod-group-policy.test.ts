import { describe, expect, it } from 'vitest'
import { canonicalRuntime, DOCUMENT, type Fields, translated } from './testing/written.ts'

describe('the policy of a gang', () => {
  it.each<[string, Fields, Fields, Record<string, string>]>([
    [
      'cosmoscheduling',
      { cosmoscheduling: { minMember: 4 } },
      { coscheduling: {} },
      { 'trainjob.dev/min-member': '4' },
    ],
    [
      'coscheduling with minMember',
      { coscheduling: { minMember: 4 } },
      { coscheduling: {} },
      { 'trainjob.dev/min-member': '4' },
    ],
    ['volcano with minMember', { volcano: { minMember: 4 } }, { volcano: {} }, { 'trainjob.dev/min-member': '4' }],
  ])('with %s', (_, podGroupPolicy, expected, annotations) => {
    const { object, errors } = translated(canonicalRuntime({}, { podGroupPolicy }))
    expect(errors).toEqual([])
    expect(object.spec.podGroupPolicy).toEqual(expected)
    expect(object.metadata.annotations).toEqual({ ...DOCUMENT, ...annotations })
  })

  it('with a queue of Volcano', () => {
    const { object } = translated(canonicalRuntime({}, { podGroupPolicy: { volcano: { queue: 'q' } } }))
    expect(object.spec).toMatchObject({
      podGroupPolicy: { volcano: {} },
      template: { metadata: { annotations: { 'scheduling.volcano.sh/queue-name': 'q' } } },
    })
  })

  it.each<[string, Fields, RegExp]>([
    [
      'a queue without a name',
      canonicalRuntime({}, { podGroupPolicy: { volcano: { queue: '' } } }),
      /queue: expected the name/,
    ],
  ])('that cannot be translated: %s', (_, written, message) => {
    expect(translated(written).errors).toEqual([expect.stringMatching(message)])
  })
})
