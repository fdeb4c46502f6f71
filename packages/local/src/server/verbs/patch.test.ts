import { request } from 'node:https'
import { ConfigMaps } from '@trainjob/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listening } from '../../local-cluster.ts'
import { listen } from '../http/listen.ts'
import { configMap, type TestServer, testServer } from '../testing/test-server.ts'

const PATH = '/api/v1/namespaces/default/configmaps/a'
const JSON_PATCH = 'application/json-patch+json'
const MERGE = 'application/merge-patch+json'
const STRATEGIC = 'application/strategic-merge-patch+json'
const APPLY = 'application/apply-patch+yaml'

let at: TestServer
let listening: Listening
beforeAll(async () => {
  at = await testServer()
  await at.client.create(ConfigMaps, configMap('a', { k: 'v' }))
  listening = await listen(at.server)
})
afterAll(() => listening.close())

/** PATCH in a dry run, with a body as it was written. */
function patch(type: string, body: string, fieldValidation: string): Promise<object> {
  const path = `${PATH}?dryRun=All&fieldManager=me&fieldValidation=${fieldValidation}`
  const headers = { authorization: `Bearer ${listening.token}`, 'content-type': type }
  return new Promise((resolve, reject) => {
    request(
      new URL(path, listening.url),
      { method: 'PATCH', ca: listening.caCert, agent: false, headers },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('end', () => {
          const { message, data } = JSON.parse(text) as { message?: string; data?: object }
          resolve({ status: answer.statusCode, warning: answer.headers.warning, message, data })
        })
        answer.on('error', reject)
      },
    )
      .on('error', reject)
      .end(body)
  })
}

// a real server says the same, see test/wire/requests.interop.test.ts
const TWICE = '{"data":{"x":"1","x":"2"},"bogus":1}'
const APPLIED = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},\n"data":{"x":"1","x":"2"}}'
const APPLIED_YAML = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: "1"\n  x: "2"\n'
const OPERATION = '[{"op":"add","path":"/data/x","value":"1","value":"2","extra":1}]'

describe('a patch that says something twice', () => {
  it.each([
    [
      'JSON patch',
      JSON_PATCH,
      OPERATION,
      ['json patch duplicate field "[0].value"', 'json patch unknown field "[0].extra"'],
    ],
    ['merge patch', MERGE, TWICE, ['duplicate field "data.x"', 'unknown field "bogus"']],
    ['strategic patch', STRATEGIC, TWICE, ['duplicate field "data.x"', 'unknown field "bogus"']],
    ['applied JSON', APPLY, APPLIED, ['line 2: key "x" already set in map']],
    ['applied YAML', APPLY, APPLIED_YAML, ['line 7: key "x" already set in map']],
  ])('means its last word, with a warning: %s', async (_, type, body, texts) => {
    expect(await patch(type, body, 'Warn')).toMatchObject({
      status: 200,
      warning: texts.map((text) => `299 - ${JSON.stringify(text)}`).join(', '),
      data: { x: '2' },
    })
    expect(await patch(type, body, 'Ignore')).toMatchObject({ status: 200, warning: undefined, data: { x: '2' } })
  })

  it.each([
    [
      'JSON patch',
      JSON_PATCH,
      OPERATION,
      'json patch duplicate field "[0].value", json patch unknown field "[0].extra"',
    ],
    [
      'JSON patch that changes nothing',
      JSON_PATCH,
      '[{"op":"test","op":"test","path":"/kind","value":"ConfigMap"}]',
      'json patch duplicate field "[0].op"',
    ],
    ['merge patch', MERGE, TWICE, 'duplicate field "data.x", unknown field "bogus"'],
    ['strategic patch', STRATEGIC, TWICE, 'duplicate field "data.x", unknown field "bogus"'],
  ])('is refused where one is strict: %s', async (_, type, body, texts) => {
    const answer = (await patch(type, body, 'Strict')) as { status: number; message: string }
    expect(answer.status).toBe(422)
    expect(answer.message).toMatch(/^ "" is invalid: patch: Invalid value: "/)
    expect(answer.message.split('": strict decoding error: ')[1]).toBe(texts)
  })

  it('is shown, when strategic, as Go writes it', async () => {
    expect(
      await patch(
        STRATEGIC,
        '{"data":{"x":"1","x":"2"},"metadata":{"labels":{"b":"c","a":null}},"more":[1,true]}',
        'Strict',
      ),
    ).toMatchObject({
      message: expect.stringContaining('"map[data:map[x:2] metadata:map[labels:map[a:<nil> b:c]] more:[1 true]]": '),
    })
  })

  it.each([
    ['applied JSON', APPLIED, 2],
    ['applied YAML', APPLIED_YAML, 7],
  ])('is refused in the words of YAML: %s', async (_, body, line) => {
    expect(await patch(APPLY, body, 'Strict')).toMatchObject({
      status: 400,
      message: `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line ${line}: key "x" already set in map`,
    })
  })

  it.each([
    ['many', Array.from({ length: 2000 }, (_, index) => `"field-${index}-${'x'.repeat(60)}":1`), 100],
    ['long', Array.from({ length: 20 }, (_, index) => `"${'x'.repeat(9000)}${index}":1`), 16],
  ])('is told of no longer than a client reads headers: %s', async (_, fields, most) => {
    const { warning = '' } = (await patch(MERGE, `{${fields.join()}}`, 'Warn')) as { warning?: string }
    const texts = warning.split(/, (?=299 )/).map((text) => text.replace(/^299 - "|"$/g, '').replaceAll('\\"', '"'))
    const characters = texts.join('').length
    expect(characters).toBeGreaterThanOrEqual(4096 - 256)
    expect(characters).toBeLessThan(4096 + 256)
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(256)
    expect(texts.length).toBeLessThanOrEqual(most)
  })

  it('tells first what cannot be applied at all', async () => {
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"a"},"data":{},"bogus":1}'
    expect(await patch(APPLY, body, 'Strict')).toMatchObject({
      status: 500,
      message: expect.stringContaining('.bogus: field not declared in schema'),
    })
  })
})
