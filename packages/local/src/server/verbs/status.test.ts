import { beforeEach, describe, expect, it } from 'vitest'
import { ownSchemas } from '../../own-schemas.ts'
import { type TestServer, testServer } from '../testing/test-server.ts'

const JOBS = '/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs'
const MERGE = { headers: { 'content-type': 'application/merge-patch+json' } }

let at: TestServer
beforeEach(async () => {
  at = await testServer({ schemas: ownSchemas() })
  const body = {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'a' },
    spec: { runtimeRef: { name: 'r' } },
  }
  expect(await at.send('POST', JOBS, { body })).toMatchObject({ status: 201 })
})

function patch(status: object, query = '') {
  return at.send('PATCH', `${JOBS}/a/status${query}`, { ...MERGE, body: { status } })
}

describe('the status of a TrainJob', () => {
  const condition = {
    type: 'Complete',
    status: 'True',
    reason: 'JobsCompleted',
    message: 'done',
    lastTransitionTime: '2026-12-01T09:30:00Z',
  }

  it('is taken when its schema allows it', async () => {
    expect(await patch({ conditions: [condition] })).toMatchObject({
      status: 200,
      body: { status: { conditions: [condition] } },
    })
  })

  it.each([
    ['of another type', { conditions: 'done' }, 'status.conditions'],
    ['that lacks something', { conditions: [{ type: 'Complete' }] }, 'status.conditions[0].'],
    [
      'out of bounds',
      { trainerStatus: { progressPercentage: 101, lastUpdatedTime: '2026-12-01T09:30:00Z' } },
      'status.trainerStatus.progressPercentage',
    ],
  ])('is refused %s', async (_, status, field) => {
    const { body, ...answer } = await patch(status)
    expect(answer.status).toBe(422)
    expect((body as { message: string }).message).toContain(field)
  })

  it('loses what the schema does not know, with a warning, or is refused for it', async () => {
    expect(await patch({ bogus: 1, conditions: [condition] })).toMatchObject({
      status: 200,
      headers: { warning: expect.stringContaining('unknown field \\"status.bogus\\"') },
      body: { status: { conditions: [condition] } },
    })
    expect((await at.send('GET', `${JOBS}/a`)).body).not.toHaveProperty('status.bogus')
    expect(await patch({ bogus: 1 }, '?fieldValidation=Strict')).toMatchObject({
      status: 422,
      body: {
        message: expect.stringMatching(
          /^ "" is invalid: patch: .*strict decoding error: unknown field "status.bogus"$/,
        ),
      },
    })
  })
})
