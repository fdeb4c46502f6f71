import type { JobSet } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { issueList } from '../issue-list.ts'
import { testServer } from '../server/testing/test-server.ts'
import { validateExistingClaims } from './validate-existing-claims.ts'
import { PersistentVolumeClaims } from './volume-claims.ts'

const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' }

function jobSet(wanted: object, whenDeleted: 'Delete' | 'Retain'): JobSet {
  const templates = [{ metadata: { name: 'data' }, spec: wanted }]
  return {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: { name: 'js', namespace: 'default' },
    spec: { replicatedJobs: [], volumeClaimPolicies: [{ templates, retentionPolicy: { whenDeleted } }] },
  } as JobSet
}

describe('a claim that is there already', () => {
  it.each([
    ['the same, kept', spec, jobSet(spec, 'Retain'), []],
    ['the same, of a volume', { ...spec, volumeName: 'pv-1' }, jobSet(spec, 'Retain'), []],
    ['the same by default', { ...spec, volumeMode: undefined }, jobSet(spec, 'Retain'), []],
    ['not to be kept', spec, jobSet(spec, 'Delete'), ['retentionPolicy.whenDeleted']],
    ['another', { ...spec, accessModes: ['ReadWriteMany'] }, jobSet(spec, 'Retain'), ['templates[0].spec']],
    ['another, not to be kept', {}, jobSet(spec, 'Delete'), ['templates[0].spec', 'retentionPolicy.whenDeleted']],
  ])('is %s', async (_, existing, wanted, paths) => {
    const { client } = await testServer()
    await client.create(PersistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data-js', namespace: 'default' },
      spec: existing,
    })
    const issues = issueList(wanted)
    await validateExistingClaims(wanted, client, issues)
    expect(issues.issues.map(({ path }) => path)).toEqual(paths.map((path) => `spec.volumeClaimPolicies[0].${path}`))
  })

  it('does not matter when it has another name', async () => {
    const { client } = await testServer()
    const issues = issueList(jobSet(spec, 'Delete'))
    await validateExistingClaims(jobSet(spec, 'Delete'), client, issues)
    expect(issues.issues).toEqual([])
  })
})
