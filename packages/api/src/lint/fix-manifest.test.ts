import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { toCanonical } from '../dialect/to-canonical.ts'
import { fixManifest } from './fix-manifest.ts'

const WRITTEN = `# a job of ours
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: mnist # short
spec:
  runtimeRef: {name: r}

  # what runs
  trainer:
    image: "x"   # pinned
    # a GPU each
    resources:
      limits:
        nvidia.com/gpu: 1 # one
  # who runs it
  managedBy: trainjob-controller
`

const FIXED = `# a job of ours
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: mnist # short
  annotations:
    trainjob.dev/form: document
spec:
  runtimeRef: { name: r }

  # what runs
  trainer:
    image: "x" # pinned
    # a GPU each
    resourcesPerNode:
      limits:
        nvidia.com/gpu: 1 # one
  # who runs it
  managedBy: trainer.kubeflow.org/trainjob-controller
`

describe('fixing a manifest', () => {
  it('keeps comments, and writes what toCanonical makes of it', () => {
    expect(fixManifest(WRITTEN)).toEqual({ text: FIXED, fixed: 1 })
    expect(parse(FIXED)).toEqual(toCanonical(parse(WRITTEN)).object)
  })

  it('leaves documents that are canonical as they are, to the letter', () => {
    const canonical = `apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata:   {name: a}\nspec: { runtimeRef:   {name: r} }\n`
    expect(fixManifest(canonical)).toEqual({ text: canonical, fixed: 0 })
    const { text, fixed } = fixManifest(`${canonical}---\n${WRITTEN}--- # the last\n${canonical}`)
    expect(text).toBe(`${canonical}---\n${FIXED}--- # the last\n${canonical}`)
    expect(fixed).toBe(1)
  })

  it('leaves alone what has more than one meaning, what is broken, and other kinds', () => {
    for (const text of [
      WRITTEN.replace('spec:\n', 'spec:\n  podGroupPolicy: {volcano: {}}\n'),
      'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n',
      'a: [1,\n',
      '{"a": 1,}',
      '',
    ]) {
      expect(fixManifest(text)).toEqual({ text, fixed: 0 })
    }
  })

  it('takes lists, and JSON', () => {
    const object = parse(WRITTEN)
    const list = { apiVersion: 'v1', kind: 'List', items: [object, { kind: 'Secret' }] }
    const expected = { ...list, items: [toCanonical(object).object, { kind: 'Secret' }] }
    expect(JSON.parse(fixManifest(JSON.stringify(list)).text)).toEqual(expected)
    const indented = WRITTEN.trimEnd().replaceAll('\n', '\n    ')
    const { text } = fixManifest(`apiVersion: v1\nkind: List\nitems:\n  -\n    ${indented}\n  - kind: Secret\n`)
    expect(parse(text)).toEqual(expected)
    expect(text).toContain('# one')
  })

  it('is done after one time, and never throws', () => {
    const piece = fc.constantFrom(
      WRITTEN,
      FIXED,
      '---\n',
      '- a\n',
      '  b: {\n',
      'kind: TrainJob\n',
      '#\n',
      '&a ',
      '*a\n',
      '\t',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const { text } = fixManifest(pieces.join(''))
        expect(fixManifest(text)).toEqual({ text, fixed: 0 })
      }),
    )
  })
})
