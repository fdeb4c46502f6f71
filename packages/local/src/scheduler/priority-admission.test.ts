import type { Pod } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { podPriorityAdmission, priorityClassAdmission } from './priority-admission.ts'
import { type PriorityClass, SYSTEM_CLASSES } from './priority-class.ts'

function priorityClass(name: string, value: number, more: Partial<PriorityClass> = {}): PriorityClass {
  const preemptionPolicy = 'PreemptLowerPriority'
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
    preemptionPolicy,
    ...more,
  }
}

const known = (...classes: readonly PriorityClass[]) => ({
  get: ({ name }: { name: string }) => classes.find(({ metadata }) => metadata.name === name),
  list: () => classes,
})
const high = priorityClass('high', 1000)
const patient = priorityClass('patient', 7, { preemptionPolicy: 'Never', globalDefault: true })

function pod(spec: Partial<Pod['spec']> = {}): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [], ...spec } }
}

describe('the priority of a pod', () => {
  const create = async (classes: readonly PriorityClass[], spec?: Partial<Pod['spec']>) => {
    const request = { operation: 'CREATE', object: pod(spec), dryRun: false } as const
    const mutated = (await podPriorityAdmission(known(...classes)).mutate?.(request)) ?? pod()
    const { priorityClassName, priority, preemptionPolicy } = mutated.spec
    return [priorityClassName, priority, preemptionPolicy]
  }

  it.each([
    ['that of its class', [high, patient], { priorityClassName: 'high' }, ['high', 1000, 'PreemptLowerPriority']],
    ['0 without any class', [high], {}, [undefined, 0, 'PreemptLowerPriority']],
    ['that of the class for all', [high, patient], {}, ['patient', 7, 'Never']],
    [
      'of two classes for all the lower',
      [priorityClass('b', 9, { globalDefault: true }), patient],
      {},
      ['patient', 7, 'Never'],
    ],
    [
      'what it says if that is right',
      [high],
      { priorityClassName: 'high', priority: 1000 },
      ['high', 1000, 'PreemptLowerPriority'],
    ],
  ])('is %s', async (_, classes, spec, expected) => {
    expect(await create(classes, spec)).toEqual(expected)
  })

  it.each([
    [
      'a class that there is not',
      { priorityClassName: 'nope' },
      'pods "p" is forbidden: no PriorityClass with name nope was found',
    ],
    [
      'a number of its own',
      { priorityClassName: 'high', priority: 3 },
      /the integer value of priority \(3\) must not be provided.*computed 1000/,
    ],
    [
      'a policy of its own',
      { priorityClassName: 'high', preemptionPolicy: 'Never' },
      /the string value of PreemptionPolicy \(Never\)/,
    ],
  ])('cannot be %s', async (_, spec, message) => {
    await expect(create([high], spec)).rejects.toThrow(message)
  })

  it('is 0 where a class that is not here does not matter', async () => {
    const missing: string[] = []
    const hook = podPriorityAdmission(known(high), (name) => missing.push(name))
    const request = { operation: 'CREATE', object: pod({ priorityClassName: 'prod' }), dryRun: false } as const
    expect((await hook.mutate?.(request))?.spec).toMatchObject({ priorityClassName: 'prod', priority: 0 })
    expect(missing).toEqual(['prod'])
  })

  it('stays when the pod is sent again without it', async () => {
    const old = pod({ priority: 7, preemptionPolicy: 'Never' })
    const request = { operation: 'UPDATE', object: pod(), oldObject: old, dryRun: false } as const
    expect((await podPriorityAdmission(known()).mutate?.(request))?.spec).toEqual(old.spec)
  })
})

describe('a priority class', () => {
  const check = async (object: PriorityClass, oldObject?: PriorityClass) => {
    const hook = priorityClassAdmission(known(patient))
    const operation = oldObject === undefined ? 'CREATE' : 'UPDATE'
    const request = { operation, object, ...(oldObject && { oldObject }), dryRun: false } as const
    const mutated = (await hook.mutate?.(request)) as PriorityClass
    return (await hook.validate?.({ ...request, object: mutated }))?.errors.map(({ path, code }) => `${path} ${code}`)
  }

  it.each([
    ['of a usual value', high, undefined, []],
    ['of the system', SYSTEM_CLASSES[0] as PriorityClass, undefined, []],
    ['that is the one for all', patient, patient, []],
    ['above the system', priorityClass('top', 1_000_000_001), undefined, ['value forbidden']],
    ['that calls itself one of the system', priorityClass('system-mine', 5), undefined, ['metadata.name forbidden']],
    ['of another value than before', priorityClass('high', 5), high, ['value forbidden']],
    [
      'of an unknown policy',
      priorityClass('odd', 5, { preemptionPolicy: 'Maybe' as never }),
      undefined,
      ['preemptionPolicy not-supported'],
    ],
  ])('%s', async (_, object, oldObject, expected) => {
    expect(await check(object, oldObject)).toEqual(expected)
  })

  it('is the only one for all', async () => {
    await expect(check(priorityClass('second', 1, { globalDefault: true }))).rejects.toThrow(
      'PriorityClass patient is already marked as default. Only one default can exist',
    )
  })
})
