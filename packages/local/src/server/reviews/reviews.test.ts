import { expect, it } from 'vitest'
import { testServer } from '../testing/test-server.ts'

const AUTHORIZATION = '/apis/authorization.k8s.io/v1'
const AUTHENTICATION = '/apis/authentication.k8s.io/v1'

it('allows everything to whoever got this far', async () => {
  const at = await testServer()
  const resourceAttributes = { verb: 'create', resource: 'trainjobs' }
  expect(
    await at.send('POST', `${AUTHORIZATION}/selfsubjectaccessreviews`, { body: { spec: { resourceAttributes } } }),
  ).toMatchObject({
    status: 201,
    body: { kind: 'SelfSubjectAccessReview', spec: { resourceAttributes }, status: { allowed: true } },
  })
  expect(
    await at.send('POST', `${AUTHORIZATION}/selfsubjectrulesreviews`, { body: { spec: { namespace: 'default' } } }),
  ).toMatchObject({ body: { status: { resourceRules: [{ verbs: ['*'] }], incomplete: false } } })
})

it('says who asks', async () => {
  const at = await testServer()
  expect(await at.send('POST', `${AUTHENTICATION}/selfsubjectreviews`, { body: {} })).toMatchObject({
    status: 201,
    body: { status: { userInfo: { username: 'trainjob-admin', groups: ['system:masters', 'system:authenticated'] } } },
  })
})

it('refuses questions that are none, and keeps nothing', async () => {
  const at = await testServer()
  expect(await at.send('POST', `${AUTHORIZATION}/selfsubjectaccessreviews`, { body: { spec: {} } })).toMatchObject({
    status: 422,
  })
  expect(await at.send('POST', `${AUTHORIZATION}/selfsubjectaccessreviews`, { body: { kind: 'Pod' } })).toMatchObject({
    status: 400,
  })
  for (const [method, path] of [
    ['GET', `${AUTHORIZATION}/selfsubjectaccessreviews`],
    ['DELETE', `${AUTHORIZATION}/selfsubjectaccessreviews`],
    ['GET', `${AUTHENTICATION}/tokenreviews/x`],
  ] as const) {
    expect((await at.send(method, path)).status, path).toBe(405)
  }
  expect(at.store.list('selfsubjectreviews.authentication.k8s.io').items).toEqual([])
})
