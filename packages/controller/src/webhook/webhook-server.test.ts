import { request } from 'node:https'
import { type KubernetesObject, TrainJobs } from '@trainjob/api'
import { generate } from 'selfsigned'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { AdmissionHook, AdmissionRequest } from '../admission/hook.ts'
import type { AdmissionReviewAnswer } from './admission-review.ts'
import { webhookConfigurations } from './webhook-configurations.ts'
import { serveWebhooks } from './webhook-server.ts'

const job: KubernetesObject = {
  apiVersion: 'trainer.kubeflow.org/v1alpha1',
  kind: 'TrainJob',
  metadata: { name: 'a', namespace: 'default' },
}
const resource = TrainJobs as AdmissionHook['resource']
const issue = { code: 'x', object: { kind: 'TrainJob', namespace: 'default', name: 'a' } }

let tls = { cert: '', key: '' }
beforeAll(async () => {
  const altNames = [{ type: 7 as const, ip: '127.0.0.1' }]
  const made = await generate([{ name: 'commonName', value: 'webhook' }], {
    extensions: [{ name: 'subjectAltName', altNames }],
  })
  tls = { cert: made.cert, key: made.private }
})

/** Serves a hook for one test; answers how it is asked. */
async function serve(hook: Omit<AdmissionHook, 'resource'>) {
  const hooks = [{ resource, ...hook }]
  const server = await serveWebhooks({ hooks, tls, host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const post = (path: string, body: string, method = 'POST'): Promise<{ code: number | undefined; text: string }> =>
    new Promise((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port: server.port, path, method, ca: tls.cert }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.once('end', () => resolve({ code: response.statusCode, text }))
      })
      call.once('error', reject)
      call.end(body)
    })
  const ask = async (phase: 'mutate' | 'validate', about: object): Promise<AdmissionReviewAnswer['response']> => {
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: 'u', ...about } }
    const { text } = await post(`/${phase}-trainjobs.trainer.kubeflow.org?timeout=10s`, JSON.stringify(review))
    const answer = JSON.parse(text) as AdmissionReviewAnswer
    expect(answer).toMatchObject({ apiVersion: review.apiVersion, kind: review.kind, response: { uid: 'u' } })
    return answer.response
  }
  return { post, ask, port: server.port }
}

describe('a webhook', () => {
  it('answers what defaulting changes as a patch', async () => {
    const { ask } = await serve({ mutate: async ({ object }) => ({ ...object, spec: { suspend: false } }) })
    const {
      allowed,
      patchType,
      patch = '',
    } = await ask('mutate', { operation: 'CREATE', object: job, oldObject: null })
    expect({ allowed, patchType }).toEqual({ allowed: true, patchType: 'JSONPatch' })
    expect(JSON.parse(Buffer.from(patch, 'base64').toString())).toEqual([
      { op: 'add', path: '/spec', value: { suspend: false } },
    ])
  })

  it('answers without a patch when nothing changes', async () => {
    const { ask } = await serve({ mutate: async ({ object }) => object })
    expect(await ask('mutate', { operation: 'CREATE', object: job })).toEqual({ uid: 'u', allowed: true })
  })

  it('tells the hook what is asked, of an object that goes too', async () => {
    const asked: AdmissionRequest[] = []
    const { ask } = await serve({
      validate: async (about) => {
        asked.push(about)
        return { errors: [], warnings: [] }
      },
    })
    const old = { ...job, metadata: { name: 'old' } }
    await ask('validate', { operation: 'UPDATE', object: job, oldObject: old, dryRun: true, subResource: 'status' })
    await ask('validate', { operation: 'DELETE', object: null, oldObject: old })
    expect(asked).toEqual([
      { operation: 'UPDATE', object: job, oldObject: old, dryRun: true, subresource: 'status' },
      { operation: 'DELETE', object: old, oldObject: old, dryRun: false },
    ])
    expect(await ask('validate', { operation: 'CONNECT', object: job })).toEqual({ uid: 'u', allowed: true })
  })

  it('refuses with a cause for each error, and hands warnings on', async () => {
    const errors = [
      { ...issue, path: 'spec.a', message: 'no' },
      { ...issue, path: '', message: 'never' },
    ]
    const { ask } = await serve({ validate: async () => ({ errors, warnings: ['w', 'x'.repeat(300)] }) })
    const { allowed, warnings, status } = await ask('validate', { operation: 'CREATE', object: job })
    expect(allowed).toBe(false)
    expect(warnings?.map((text) => text.length)).toEqual([1, 256])
    expect(status).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'TrainJob.trainer.kubeflow.org "a" is invalid: [spec.a: no, never]',
      details: { name: 'a', causes: [{ field: 'spec.a', message: 'no' }, { message: 'never' }] },
    })
  })

  it('answers what a hook throws as a failure of its own', async () => {
    const { ask } = await serve({ validate: () => Promise.reject(new Error('no connection')) })
    expect(await ask('validate', { operation: 'CREATE', object: job })).toMatchObject({
      allowed: false,
      status: { code: 500, message: 'no connection' },
    })
  })

  it.each<[string, string, string, number, string?]>([
    ['another path', '/', '{}', 404],
    ['a phase that the hook has not', '/validate-trainjobs.trainer.kubeflow.org', '{}', 404],
    ['another method', '/mutate-trainjobs.trainer.kubeflow.org', '', 405, 'GET'],
    ['no JSON', '/mutate-trainjobs.trainer.kubeflow.org', 'x', 400],
    ['no review', '/mutate-trainjobs.trainer.kubeflow.org', '{"kind":"AdmissionReview"}', 400],
    ['nothing', '/mutate-trainjobs.trainer.kubeflow.org', 'null', 400],
    ['too much', '/mutate-trainjobs.trainer.kubeflow.org', ' '.repeat(8 * 1024 * 1024 + 1), 413],
  ])('says what is wrong with %s', async (_, path, body, code, method) => {
    const { post } = await serve({ mutate: async ({ object }) => object })
    const answer = await post(path, body, method)
    expect(answer.code).toBe(code)
    expect(JSON.parse(answer.text).message).toEqual(expect.any(String))
  })

  it('cannot be served where another program listens', async () => {
    const { port } = await serve({})
    await expect(serveWebhooks({ hooks: [], tls, host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'listen-failed',
      message: expect.stringContaining(`127.0.0.1:${port}`),
    })
  })
})

describe('the configurations', () => {
  const hooks: AdmissionHook[] = [{ resource, mutate: async ({ object }) => object }]

  it('name the paths that are served, for the phases that the hook has', () => {
    const [mutating, validating] = webhookConfigurations(hooks, { server: 'https://x:1', ca: 'PEM' })
    expect(mutating?.webhooks).toMatchObject([
      {
        name: 'mutate.trainjobs.trainer.kubeflow.org',
        failurePolicy: 'Fail',
        clientConfig: { url: 'https://x:1/mutate-trainjobs.trainer.kubeflow.org', caBundle: 'UEVN' },
        rules: [{ resources: ['trainjobs'], operations: ['CREATE', 'UPDATE'], scope: 'Namespaced' }],
      },
    ])
    expect(validating?.webhooks).toEqual([])
  })

  it('name a Service of the cluster', () => {
    const [mutating] = webhookConfigurations(hooks, { server: { name: 's', namespace: 'n' } })
    const path = '/mutate-trainjobs.trainer.kubeflow.org'
    expect(mutating?.webhooks).toMatchObject([{ clientConfig: { service: { name: 's', namespace: 'n', path } } }])
  })
})
