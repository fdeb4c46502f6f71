import { JSON_PATCHES_ANNOTATION, type RuntimePatch, type TrainJob } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { withOperationTimes, withPatchTimes } from './patch-times.ts'

const NOW = '2026-01-02T00:00:00Z'
const OLD = '2026-01-01T00:00:00Z'

function patch(manager: string, label?: string, time?: string): RuntimePatch {
  return {
    manager,
    ...(time !== undefined && { time }),
    trainingRuntimeSpec: { template: { spec: {}, ...(label !== undefined && { metadata: { labels: { label } } }) } },
  }
}

describe('withPatchTimes', () => {
  it.each<[string, RuntimePatch[], RuntimePatch[] | undefined, (string | undefined)[]]>([
    ['a new job: every patch without a time', [patch('a'), patch('b', 'x', OLD)], undefined, [NOW, OLD]],
    ['unchanged: the stored time, without one sent', [patch('a')], [patch('a', undefined, OLD)], [OLD]],
    [
      'unchanged: the stored time, whatever was sent',
      [patch('a', undefined, NOW)],
      [patch('a', undefined, OLD)],
      [OLD],
    ],
    ['changed: now, whatever was sent', [patch('a', 'y', OLD)], [patch('a', 'x', OLD)], [NOW]],
    ['a new manager beside an old one', [patch('a'), patch('b')], [patch('a', undefined, OLD)], [OLD, NOW]],
  ])('%s', (_, patches, stored, times) => {
    expect(withPatchTimes(patches, stored, NOW).map((one) => one.time)).toEqual(times)
  })

  it('keeps empty objects, on which Kueue relies', () => {
    expect(withPatchTimes([patch('kueue.x-k8s.io/manager')], undefined, NOW)[0]?.trainingRuntimeSpec).toEqual({
      template: { spec: {} },
    })
  })
})

describe('withOperationTimes', () => {
  const operation = { op: 'remove', path: '/spec/x' } as const
  const other = { op: 'remove', path: '/spec/y' } as const
  const entry = (patch: object, time?: string) => ({
    manager: 'm',
    ...(time !== undefined && { time }),
    patch: [patch],
  })
  const jobOf = (...entries: object[]): TrainJob => ({
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'a', annotations: { [JSON_PATCHES_ANNOTATION]: JSON.stringify(entries) } },
    spec: { runtimeRef: { name: 'r' } },
  })

  it.each<[string, TrainJob, TrainJob | undefined, string[]]>([
    ['a new job: every entry without a time', jobOf(entry(operation), entry(other, OLD)), undefined, [NOW, OLD]],
    ['unchanged: the stored time', jobOf(entry(operation)), jobOf(entry(operation, OLD)), [OLD]],
    ['unchanged: whatever was sent', jobOf(entry(operation, NOW)), jobOf(entry(operation, OLD)), [OLD]],
    ['changed: now, whatever was sent', jobOf(entry(other, OLD)), jobOf(entry(operation, OLD)), [NOW]],
    ['the same manager twice', jobOf(entry(operation), entry(operation)), jobOf(entry(operation, OLD)), [OLD, NOW]],
  ])('%s', (_, job, stored, times) => {
    const { metadata } = withOperationTimes(job, stored, NOW)
    const found = JSON.parse(metadata.annotations?.[JSON_PATCHES_ANNOTATION] ?? '[]')
    expect(found.map((one: { time: string }) => one.time)).toEqual(times)
  })

  it('leaves a job without operations alone', () => {
    const { annotations: _, ...metadata } = jobOf().metadata
    const job = { ...jobOf(), metadata }
    expect(withOperationTimes(job, undefined, NOW)).toBe(job)
  })
})
