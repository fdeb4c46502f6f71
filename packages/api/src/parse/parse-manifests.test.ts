import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseManifests, readManifests } from './parse-manifests.ts'

/** `line path code` of every error, or warning. */
function brief(issues: readonly { line?: number; path: string; code: string }[]): string[] {
  return issues.map(({ line, path, code }) => `${line} ${path} ${code}`)
}

const JOB = `apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: mnist}
spec:
  runtimeRef: {name: torch-distributed}
`

const FAULTY = `# a job with a fault on nearly every line
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: Mnist
  labels: {"not ok": "x"}
spec:
  runtimRef: {name: torch-distributed}
  trainer:
    num_nodes: 4
    image: 3
    numProcPerNode: "2"
    command: python train.py
    env:
      - name: A
        value: 10
      - value: x
      - name: A
    resourcesPerNode:
      limits: {cpu: 0.5, memory: 1gb}
  runtimePatches:
    - time: yesterday
  managedBy: me
`

describe('parsing manifests', () => {
  it('finds all faults of a document at once, each on its line', () => {
    const { errors } = parseManifests(FAULTY, { file: 'job.yaml' })
    expect(brief(errors)).toEqual([
      '5 metadata.name invalid-value',
      '6 metadata.labels[not ok] invalid-value',
      '7 spec.runtimeRef required',
      '8 spec.runtimRef unknown-field',
      '10 spec.trainer.num_nodes unknown-field',
      '11 spec.trainer.image wrong-type',
      '12 spec.trainer.numProcPerNode wrong-type',
      '13 spec.trainer.command wrong-type',
      '16 spec.trainer.env[0].value wrong-type',
      '17 spec.trainer.env[1].name required',
      '18 spec.trainer.env[2] duplicate-key',
      '20 spec.trainer.resourcesPerNode.limits.cpu wrong-type',
      '20 spec.trainer.resourcesPerNode.limits.memory invalid-value',
      '22 spec.runtimePatches[0].manager required',
      '22 spec.runtimePatches[0].time invalid-value',
      '23 spec.managedBy invalid-value',
    ])
    for (const error of errors) {
      expect(error).toMatchObject({ file: 'job.yaml', object: { kind: 'TrainJob', namespace: '', name: 'Mnist' } })
    }
  })

  it.each([
    ['spec.runtimRef', 'did you mean `runtimeRef`?'],
    ['spec.trainer.num_nodes', 'did you mean `numNodes`?'],
    ['spec.trainer.image', 'expected a text, found the number 3; put it in quotes'],
    ['spec.trainer.numProcPerNode', 'expected a whole number, found the text "2"; write it without quotes: 2'],
    ['spec.trainer.command', 'expected a list, found the text "python train.py"; write it as a list'],
    ['spec.trainer.env[1].name', 'expected a text, found nothing: the field is required'],
    ['spec.trainer.resourcesPerNode.limits.cpu', 'fractions must be in quotes: "0.5"'],
    ['spec.trainer.resourcesPerNode.limits.memory', 'did you mean 1Gi?'],
    ['spec.managedBy', 'expected trainer.kubeflow.org/trainjob-controller or kueue.x-k8s.io/multikueue'],
  ])('says about %s what was expected and what was found', (path, message) => {
    const error = parseManifests(FAULTY).errors.find((one) => one.path === path)
    expect(error?.message).toContain(message)
  })

  it('does not let a broken document hide the faults of others', () => {
    const text = `${JOB}  suspendd: true\n---\na: "never closed\n---\n${JOB}  foo: 1\n---\nb: [1,\n  {c: 2\n`
    const { documents, errors } = parseManifests(text)
    expect(brief(errors)).toEqual([
      '6 spec.suspendd unknown-field',
      '8  yaml-syntax',
      '15 spec.foo unknown-field',
      '17  yaml-syntax',
      '18  yaml-syntax',
    ])
    expect(errors[1]?.message).toBe('expected a closing " for the text that begins here, found none')
    expect(documents).toHaveLength(2)
  })

  it('reads the items of lists, also of lists in lists and of typed lists', () => {
    const item = { spec: { runtimeRef: { name: 'r' } } }
    const typed = { ...item, apiVersion: 'trainer.kubeflow.org/v1alpha1', kind: 'TrainJob', metadata: { name: 'a' } }
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [
        typed,
        { apiVersion: 'v1', kind: 'List', items: [{ ...typed, metadata: { name: 'b' } }] },
        {
          apiVersion: 'trainer.kubeflow.org/v1alpha1',
          kind: 'TrainJobList',
          items: [{ ...item, metadata: { name: 'c' } }, { ...item, metadata: { name: 'D' } }, 'x'],
        },
      ],
    }
    const { documents, errors } = parseManifests(JSON.stringify(list, null, 1))
    expect(documents.map(({ object }) => `${object.kind} ${object.metadata.name}`)).toEqual([
      'TrainJob a',
      'TrainJob b',
      'TrainJob c',
      'TrainJob D',
    ])
    expect(errors.map(({ path, code }) => `${path} ${code}`)).toEqual(['metadata.name invalid-value', ' wrong-type'])
    expect(errors[0]?.line).toBe(
      JSON.stringify(list, null, 1)
        .split('\n')
        .findIndex((line) => line.includes('"D"')) + 1,
    )
  })

  it('drops fields that are null, as a server does', () => {
    const { documents, errors } = parseManifests(`${JOB}  trainer:\n    env:\n    image: null\nstatus: {}\n`)
    expect(errors).toEqual([])
    expect(documents[0]?.object).toHaveProperty('spec.trainer', {})
  })

  it('keeps fields of pod templates that it does not know, and warns where one looks like a slip', () => {
    const text = `apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
metadata: {name: r}
spec:
  template:
    spec:
      replicatedJobs:
        - name: node
          template:
            spec:
              template:
                spec:
                  restartPolicyy: Never
                  brandNewField: {a: null}
                  containers:
                    - name: node
                      imagee: x
                      imagePullPolicy: 3
`
    const { documents, errors, warnings } = parseManifests(text)
    const pod = 'spec.template.spec.replicatedJobs[0].template.spec.template.spec'
    expect(brief(errors)).toEqual([`18 ${pod}.containers[0].imagePullPolicy wrong-type`])
    expect(brief(warnings)).toEqual([
      `13 ${pod}.restartPolicyy unknown-field`,
      `17 ${pod}.containers[0].imagee unknown-field`,
    ])
    expect(JSON.stringify(documents[0]?.object)).toContain('"brandNewField":{"a":null}')
  })

  it('lets other kinds pass, as long as they have a type and a name', () => {
    const text = `apiVersion: v1
kind: ConfigMap
metadata: {name: kube-root-ca.crt}
data: {whatever: "x"}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "system:node"}
---
kind: Secret
metadata: {}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJobs
metadata: {name: x}
---
apiVersion: trainer.kubeflow.org/v1
kind: TrainJob
metadata: {name: x}
spec: {runtimeRef: {name: r}}
---
just a text
`
    const { errors } = parseManifests(text)
    expect(brief(errors)).toEqual([
      '10 apiVersion required',
      '11 metadata.name required',
      '14 kind not-supported-kind',
      '17 apiVersion invalid-value',
      '22  wrong-type',
    ])
    expect(errors[2]?.message).toContain('did you mean TrainJob?')
  })

  it.each([
    ['nothing', ''],
    ['comments', '# nothing\n\n# here\n'],
    ['empty documents', '---\n---\n\n---\n# x\n'],
    ['a directive', '%YAML 1.1\n---\n'],
  ])('finds no documents and no faults in %s', (_, text) => {
    expect(parseManifests(text)).toEqual({ documents: [], errors: [], warnings: [] })
  })

  it('takes a byte order mark and Windows line ends', () => {
    const { documents, errors } = parseManifests(`\ufeff${JOB}---\n${JOB}  x: 1\n`.replaceAll('\n', '\r\n'))
    expect(documents).toHaveLength(2)
    expect(brief(errors)).toEqual(['12 spec.x unknown-field'])
  })

  it('tells where each object begins and where its fields are', () => {
    const { documents } = readManifests(`# first\n${JOB}---\n\n${JOB}`, { file: 'a.yaml' })
    expect(documents.map(({ line, file }) => [line, file])).toEqual([
      [2, 'a.yaml'],
      [9, 'a.yaml'],
    ])
    expect(documents[1]?.positions.lineOf('spec.runtimeRef.name')).toBe(13)
  })

  it('takes long runs of comments and blank lines in its stride', () => {
    expect(parseManifests(`${'# x\n\n'.repeat(20_000)}${JOB}`).errors).toEqual([])
  })

  it('never throws, whatever the text', () => {
    const piece = fc.constantFrom(
      JOB,
      '---\n',
      'spec:\n',
      '  - a\n',
      '{',
      '}',
      '[',
      '"',
      "'",
      '&a ',
      '*a',
      ': ',
      '\t',
      '!!int ',
      '|',
      '\n',
      '%',
      '#',
      '<<: ',
      'items:\n',
      'kind: List\n',
      '\u0000',
      '1: ',
      '? ',
      '...\n',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
          fc.string(),
        ),
        (text) => {
          const { errors, documents } = parseManifests(text)
          const lines = text.split('\n').length
          for (const { line } of [...errors, ...documents]) {
            expect(line).toBeGreaterThanOrEqual(1)
            expect(line).toBeLessThanOrEqual(lines)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
