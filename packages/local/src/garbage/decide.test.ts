import type { KubernetesObject } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { decide, type OwnerState } from './decide.ts'

interface Sample {
  readonly owners?: readonly string[]
  readonly finalizers?: readonly string[]
  readonly going?: boolean
  readonly blocks?: boolean
}

function object(
  uid: string,
  { owners = [], finalizers = [], going = false, blocks = false }: Sample = {},
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: {
      name: uid,
      uid,
      finalizers: [...finalizers],
      ...(going && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      ownerReferences: owners.map((owner) => ({
        apiVersion: 'v1',
        kind: 'Thing',
        name: owner,
        uid: owner,
        blockOwnerDeletion: blocks,
      })),
    },
  }
}

const STATES: Record<string, OwnerState> = { there: 'there', gone: 'gone', waiting: 'waiting' }

function decision(sample: Sample, dependants: readonly Sample[] = []) {
  const others = dependants.map((dependant, at) => object(`d${at}`, { owners: ['me'], ...dependant }))
  return decide(object('me', sample), others, ({ uid }) => STATES[uid] ?? 'there')
}

describe('an object', () => {
  it.each<[string, Sample, Sample[], object]>([
    ['without owners stays', {}, [], { do: 'nothing' }],
    ['of an owner that is there stays', { owners: ['there'] }, [], { do: 'nothing' }],
    ['of an owner that is gone goes', { owners: ['gone'] }, [], { do: 'delete', policy: 'Background' }],
    ['of two owners that are gone goes', { owners: ['gone', 'gone'] }, [{}], { do: 'delete', policy: 'Background' }],
    ['of an owner that waits for it goes', { owners: ['waiting'] }, [], { do: 'delete', policy: 'Background' }],
    [
      'of an owner that waits for it goes after its own',
      { owners: ['waiting'] },
      [{}],
      { do: 'delete', policy: 'Foreground' },
    ],
    ['on its way is not told again', { owners: ['gone'], going: true }, [], { do: 'nothing' }],
    [
      'that orphans its own does so when its owner is gone',
      { owners: ['gone'], finalizers: ['orphan'] },
      [{}],
      { do: 'delete', policy: 'Orphan' },
    ],
    [
      'deleted in the foreground waits',
      { finalizers: ['foregroundDeletion'], going: true },
      [{ blocks: true }],
      { do: 'visit-dependants' },
    ],
    [
      'does not wait for those that do not block',
      { finalizers: ['foregroundDeletion'], going: true },
      [{}],
      { do: 'remove-finalizer', finalizer: 'foregroundDeletion' },
    ],
    [
      'goes when it has waited long enough',
      { finalizers: ['foregroundDeletion'], going: true },
      [],
      { do: 'remove-finalizer', finalizer: 'foregroundDeletion' },
    ],
    ['lets its own go', { finalizers: ['orphan'], going: true }, [{}], { do: 'orphan-dependants' }],
    [
      'goes when it has none to let go',
      { finalizers: ['orphan'], going: true },
      [],
      { do: 'remove-finalizer', finalizer: 'orphan' },
    ],
  ])('%s', (_, sample, dependants, expected) => {
    expect(decision(sample, dependants)).toEqual(expected)
  })

  it.each(['gone', 'waiting'])('keeps the owner that is there and loses the one that is %s', (other) => {
    const result = decision({ owners: ['there', other] })
    expect(result.do === 'keep-owners' && result.owners.map(({ uid }) => uid)).toEqual(['there'])
  })
})
