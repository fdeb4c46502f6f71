import { type Event, Events } from '@trainjob/api'
import type { KubeObject } from '@trainjob/kube'
import { beforeEach, describe, expect, it } from 'vitest'
import { type TestServer, testServer } from '../testing/test-server.ts'

const CORE = '/api/v1/namespaces/default/events'
const NEW = '/apis/events.k8s.io/v1/namespaces/default/events'
const TIME = '2026-12-01T09:30:00.000000Z'

const about = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'p' }
/** As client-go's recorder of events.k8s.io writes it. */
const recorded = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'p.1', namespace: 'default' },
  eventTime: TIME,
  reportingController: 'scheduler',
  reportingInstance: 'scheduler-0',
  action: 'Binding',
  reason: 'Scheduled',
  regarding: about,
  note: 'it goes to node n',
  type: 'Normal',
}
const older = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'p.2', namespace: 'default' },
  involvedObject: about,
  reason: 'Pulled',
  message: 'the image is here',
  source: { component: 'kubelet', host: 'n' },
  firstTimestamp: '2026-12-01T09:29:00Z',
  lastTimestamp: '2026-12-01T09:30:00Z',
  count: 3,
  type: 'Normal',
}

let at: TestServer
beforeEach(async () => {
  at = await testServer()
  expect(await at.send('POST', NEW, { body: recorded })).toMatchObject({ status: 201, body: recorded, headers: {} })
  expect((await at.send('POST', CORE, { body: older })).status).toBe(201)
})

const names = async (path: string) =>
  ((await at.send('GET', path)).body as { items: KubeObject[] }).items.map(({ metadata }) => metadata.name)

describe('an event', () => {
  it('is the same in both groups, in the words of each', async () => {
    const { regarding, note, reportingController, ...same } = recorded
    const inCore = {
      ...same,
      apiVersion: 'v1',
      involvedObject: regarding,
      message: note,
      reportingComponent: 'scheduler',
    }
    const { body: core } = await at.send('GET', `${CORE}/p.1`)
    expect(core).toMatchObject(inCore)
    expect(Object.keys(core as object)).not.toEqual(expect.arrayContaining(['regarding']))
    const { involvedObject, message, source, firstTimestamp, lastTimestamp, count, ...kept } = older
    expect((await at.send('GET', `${NEW}/p.2`)).body).toMatchObject({
      ...kept,
      apiVersion: 'events.k8s.io/v1',
      regarding: involvedObject,
      note: message,
      deprecatedSource: source,
      deprecatedFirstTimestamp: firstTimestamp,
      deprecatedLastTimestamp: lastTimestamp,
      deprecatedCount: count,
    })
    expect((await at.send('GET', NEW)).body).toMatchObject({
      kind: 'EventList',
      apiVersion: 'events.k8s.io/v1',
      items: [recorded, { note: older.message }],
    })
  })

  it.each([
    [`${NEW}?fieldSelector=regarding.name%3Dp,reason%3DPulled`, ['p.2']],
    [`${NEW}?fieldSelector=reportingController%3Dscheduler`, ['p.1']],
    [`${CORE}?fieldSelector=reportingComponent%3Dscheduler`, ['p.1']],
    [`${CORE}?fieldSelector=involvedObject.name%3Dp,involvedObject.kind%3DPod`, ['p.1', 'p.2']],
  ])('is selected by the fields of its group: %s', async (path, found) => {
    expect(await names(path)).toEqual(found)
  })

  it('is not selected by the fields of the other group', async () => {
    const message = 'field label not supported: involvedObject.name'
    expect(await at.send('GET', `${NEW}?fieldSelector=involvedObject.name%3Dp`)).toMatchObject({
      status: 400,
      body: { message },
    })
  })

  it.each([
    ['strategic-merge-patch+json', { series: { count: 2, lastObservedTime: TIME }, note: 'again' }],
    ['merge-patch+json', { series: { count: 2, lastObservedTime: TIME }, note: 'again' }],
    [
      'json-patch+json',
      [
        { op: 'add', path: '/series', value: { count: 2, lastObservedTime: TIME } },
        { op: 'test', path: '/regarding/name', value: 'p' },
        { op: 'replace', path: '/note', value: 'again' },
      ],
    ],
  ])('takes a patch in the words of its group: %s', async (type, body) => {
    const headers = { 'content-type': `application/${type}` }
    const series = { count: 2, lastObservedTime: TIME }
    expect(await at.send('PATCH', `${NEW}/p.1`, { body, headers })).toMatchObject({
      status: 200,
      body: { ...recorded, note: 'again', series },
    })
    expect((await at.send('GET', `${CORE}/p.1`)).body).toMatchObject({ message: 'again', series })
  })

  it('is applied and replaced in the words of its group', async () => {
    const headers = { 'content-type': 'application/apply-patch+yaml' }
    const path = `${NEW}/p.1?fieldManager=me&force=true`
    expect(await at.send('PATCH', path, { body: { ...recorded, note: 'applied' }, headers })).toMatchObject({
      status: 200,
      body: { note: 'applied' },
    })
    expect(await at.send('PUT', `${NEW}/p.2`, { body: { ...recorded, metadata: { name: 'p.2' } } })).toMatchObject({
      status: 200,
    })
    expect((await at.send('GET', `${CORE}/p.2`)).body).toMatchObject({ message: recorded.note, apiVersion: 'v1' })
  })

  it('is owned in one version, whichever it was written in', async () => {
    await at.send('PATCH', `${CORE}/p.1?fieldManager=me`, {
      body: { type: 'Warning' },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    const { managedFields } = ((await at.send('GET', `${NEW}/p.1`)).body as KubeObject).metadata
    expect(managedFields).toMatchObject([
      { manager: 'me', apiVersion: 'v1', fieldsV1: { 'f:type': {} } },
      { apiVersion: 'v1', fieldsV1: { 'f:involvedObject': {}, 'f:message': {}, 'f:reason': {} } },
    ])
  })

  it('loses what only the other group has, with a warning', async () => {
    const body = { ...recorded, metadata: { name: 'p.3' }, message: 'a word of the core group' }
    const { headers } = await at.send('POST', NEW, { body })
    expect(headers.warning).toContain('unknown field \\"message\\"')
    expect((await at.send('GET', `${CORE}/p.3`)).body).toMatchObject({ message: recorded.note })
  })

  it('is watched in both groups', async () => {
    const stop = new AbortController()
    const seen: unknown[] = []
    const started = [CORE, NEW].map(async (path) => {
      const query = { watch: 'true', resourceVersion: '1' }
      const response = await at.server.transport.request({ method: 'GET', path, query, signal: stop.signal })
      for await (const event of response.events()) {
        const { apiVersion, message, note } = (event as { object: Event & { note?: string } }).object
        seen.push([apiVersion, message ?? note])
        if (seen.length === 4) stop.abort()
      }
    })
    await Promise.all(started)
    expect(seen).toHaveLength(4)
    expect(seen).toEqual(
      expect.arrayContaining([
        ['v1', recorded.note],
        ['events.k8s.io/v1', recorded.note],
        ['v1', older.message],
        ['events.k8s.io/v1', older.message],
      ]),
    )
  })

  it('is shown in the same table, and named by its group in failures', async () => {
    const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }
    const rows = async (path: string) =>
      ((await at.send('GET', path, { headers })).body as { rows: { cells: unknown[] }[] }).rows
    expect((await rows(NEW)).map(({ cells }) => cells)).toEqual((await rows(CORE)).map(({ cells }) => cells))
    const [row] = (await rows(`${NEW}?includeObject=Object`)) as { object?: object }[]
    expect(row?.object).toMatchObject(recorded)
    expect((await at.send('GET', `${NEW}/none`)).body).toMatchObject({
      message: 'events.events.k8s.io "none" not found',
    })
  })

  it('is deleted once', async () => {
    expect((await at.send('DELETE', `${NEW}/p.1`)).status).toBe(200)
    expect((await at.client.list(Events)).items.map(({ metadata }) => metadata.name)).toEqual(['p.2'])
  })

  it('is explained in the words of its group', async () => {
    const { body } = await at.send('GET', '/openapi/v3/apis/events.k8s.io/v1')
    const { components } = body as { components: { schemas: Record<string, { properties: object }> } }
    const fields = Object.keys(components.schemas['io.k8s.api.events.v1.Event']?.properties ?? {})
    expect(fields).toEqual(expect.arrayContaining(['regarding', 'note', 'reportingController', 'eventTime', 'series']))
    expect(fields).not.toEqual(expect.arrayContaining(['message']))
  })
})
