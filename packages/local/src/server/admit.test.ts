import { ConfigMaps, type Findings, type Issue, TrainJobs } from '@trainjob/api'
import type { AdmissionHook, AdmissionRequest } from '@trainjob/controller'
import type { KubeObject } from '@trainjob/kube'
import { describe, expect, it } from 'vitest'
import { configMap, testServer } from './testing/test-server.ts'

const JOBS = '/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs'

function issue(path: string, code: string, message: string): Issue {
  return { path, code, message, object: { kind: 'TrainJob', namespace: 'default', name: 'j' } }
}

function job(spec: object): object {
  return { apiVersion: 'trainer.kubeflow.org/v1alpha1', kind: 'TrainJob', metadata: { name: 'j' }, spec }
}

/** Records what it is asked. */
function watching(hook: Pick<AdmissionHook, 'mutate' | 'validate'> = {}) {
  const asked: string[] = []
  const spy: AdmissionHook = {
    resource: ConfigMaps,
    async mutate(request) {
      asked.push(`mutate ${request.operation}`)
      return hook.mutate?.(request) ?? request.object
    },
    async validate(request) {
      asked.push(`validate ${request.operation}${request.dryRun ? ' dry' : ''}`)
      return hook.validate?.(request) ?? { errors: [], warnings: [] }
    },
  }
  return { asked, spy }
}

describe('admission', () => {
  it('runs all defaulting before any validation, in the order of the hooks', async () => {
    const append = (word: string): AdmissionHook<KubeObject & { data?: Record<string, string> }> => ({
      resource: ConfigMaps,
      async mutate({ object }) {
        return { ...object, data: { ...object.data, order: `${object.data?.order ?? ''}${word}` } }
      },
      async validate({ object }) {
        return { errors: [], warnings: [`${word} saw ${object.data?.order}`] }
      },
    })
    const at = await testServer({ hooks: [append('a'), append('b')] })
    const warnings: string[] = []
    const made = await at.client.create(ConfigMaps, configMap('a'), { onWarning: (text) => warnings.push(text) })
    expect(made).toMatchObject({ data: { order: 'ab' } })
    expect(warnings).toEqual(['a saw ab', 'b saw ab'])
  })

  it('asks on each kind of write, and knows a dry run', async () => {
    const { asked, spy } = watching()
    const at = await testServer({ hooks: [spy] })
    const key = { namespace: 'default', name: 'a' }
    await at.client.create(ConfigMaps, configMap('a'), { dryRun: true })
    await at.client.create(ConfigMaps, configMap('a'))
    await at.client.patch(ConfigMaps, key, { type: 'merge', body: { data: { a: 'b' } } })
    await at.client.patch(ConfigMaps, key, { type: 'merge', body: { data: { a: 'b' } } })
    await at.client.delete(ConfigMaps, key)
    expect(asked).toEqual([
      'mutate CREATE',
      'validate CREATE dry',
      'mutate CREATE',
      'validate CREATE',
      'mutate UPDATE',
      'validate UPDATE',
      'mutate UPDATE',
      'validate DELETE',
    ])
  })

  it('hands over what would be stored and what is', async () => {
    let seen: AdmissionRequest | undefined
    const { spy } = watching({
      async validate(request) {
        seen = request
        return { errors: [], warnings: [] }
      },
    })
    const at = await testServer({ hooks: [spy] })
    const first = await at.client.create(ConfigMaps, configMap('a', { k: '1' }))
    await at.client.update(ConfigMaps, { ...configMap('a', { k: '2' }) })
    expect(seen).toMatchObject({ operation: 'UPDATE', oldObject: first, object: { data: { k: '2' } } })
  })

  it('answers errors with a cause for each, and stores nothing', async () => {
    const { spy } = watching({
      async validate() {
        return {
          errors: [issue('data.a', 'required', 'Required value'), issue('', 'invalid-value', 'no good')],
          warnings: [],
        }
      },
    })
    const at = await testServer({ hooks: [spy] })
    await expect(at.client.create(ConfigMaps, configMap('a'))).rejects.toMatchObject({
      httpCode: 422,
      message: 'ConfigMap "a" is invalid: [data.a: Required value, no good]',
      status: {
        reason: 'Invalid',
        details: {
          name: 'a',
          kind: 'ConfigMap',
          causes: [
            { reason: 'FieldValueRequired', field: 'data.a', message: 'Required value' },
            { reason: 'FieldValueInvalid', field: '', message: 'no good' },
          ],
        },
      },
    })
    expect((await at.client.list(ConfigMaps)).items).toEqual([])
  })

  it('answers what a hook throws as an internal error', async () => {
    const { spy } = watching({
      async validate() {
        throw new Error('the hook is broken')
      },
    })
    const at = await testServer({ hooks: [spy] })
    await expect(at.client.create(ConfigMaps, configMap('a'))).rejects.toMatchObject({
      httpCode: 500,
      reason: 'InternalError',
      message: 'Internal error occurred: an error on the server: the hook is broken',
    })
  })
})

describe('fields that the schema does not know', () => {
  const findings: Findings = {
    errors: [issue('spec.bogus', 'unknown-field', 'x'), issue('spec.trainer.env[1].zip', 'unknown-field', 'x')],
    warnings: [],
  }
  const spec = { bogus: 1, keep: 2, trainer: { env: [{ name: 'A' }, { name: 'B', zip: 3 }] } }
  const server = () => testServer({ schemas: { 'trainjobs.trainer.kubeflow.org': () => findings } })

  it('are dropped with a warning each', async () => {
    const at = await server()
    const { status, headers, body } = await at.send('POST', JOBS, { body: job(spec) })
    expect(status).toBe(201)
    expect(headers.warning).toBe(
      '299 - "unknown field \\"spec.bogus\\"", 299 - "unknown field \\"spec.trainer.env[1].zip\\""',
    )
    expect(body).toMatchObject({ spec: { keep: 2, trainer: { env: [{ name: 'A' }, { name: 'B' }] } } })
    expect((body as { spec: object }).spec).not.toHaveProperty('bogus')
  })

  it('are dropped silently on demand', async () => {
    const at = await server()
    const { headers, body } = await at.send('POST', `${JOBS}?fieldValidation=Ignore`, { body: job(spec) })
    expect(headers.warning).toBeUndefined()
    expect((body as { spec: object }).spec).not.toHaveProperty('bogus')
  })

  it('are refused on demand', async () => {
    const at = await server()
    expect(await at.send('POST', `${JOBS}?fieldValidation=Strict`, { body: job(spec) })).toMatchObject({
      status: 400,
      body: {
        message:
          'TrainJob in version "v1alpha1" cannot be handled as a TrainJob: strict decoding error: unknown field "spec.bogus", unknown field "spec.trainer.env[1].zip"',
      },
    })
  })

  it('cannot be applied', async () => {
    const at = await server()
    const answer = await at.send('PATCH', `${JOBS}/j?fieldManager=m`, {
      body: job(spec),
      headers: { 'content-type': 'application/apply-patch+yaml' },
    })
    expect(answer).toMatchObject({
      status: 500,
      body: {
        message:
          'failed to create typed patch object (/j; trainer.kubeflow.org/v1alpha1, Kind=TrainJob): .spec.bogus: field not declared in schema',
      },
    })
  })

  it('do not hide errors', async () => {
    const at = await testServer({
      schemas: {
        'trainjobs.trainer.kubeflow.org': () => ({
          errors: [...findings.errors, issue('spec.keep', 'wrong-type', 'expected a string, found 2')],
          warnings: [],
        }),
      },
    })
    await expect(
      at.client.create(TrainJobs, { ...job(spec), metadata: { name: 'j', namespace: 'default' } } as never),
    ).rejects.toMatchObject({
      httpCode: 422,
      status: { details: { causes: [{ reason: 'FieldValueTypeInvalid', field: 'spec.keep' }] } },
    })
  })
})
