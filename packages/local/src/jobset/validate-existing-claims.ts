import { isDeepStrictEqual } from 'node:util'
import type { JobSet } from '@trainjob/api'
import { isNotFound, type Reader } from '@trainjob/kube'
import type { IssueList } from '../issue-list.ts'
import { type ClaimTemplate, claimName, type PersistentVolumeClaim, PersistentVolumeClaims } from './volume-claims.ts'

/** What the API server adds to a claim when it is made or bound: nothing that a template could differ in. */
const DEFAULTS = { volumeMode: 'Filesystem' }

/**
 * Checks that a claim which is there already is what its template asks for, and is to be kept: that of an earlier JobSet
 * of this name, or somebody else's (source: jobset v0.12, jobset_webhook.go, validateVolumeClaimPolicies).
 */
export async function validateExistingClaims(
  { metadata, spec }: JobSet,
  reader: Pick<Reader, 'get'>,
  issues: IssueList,
): Promise<void> {
  const { name: jobSet = '', namespace = 'default' } = metadata
  for (const [at, { templates = [], retentionPolicy }] of (spec.volumeClaimPolicies ?? []).entries()) {
    for (const [index, template] of templates.entries()) {
      const { metadata: own, spec: wanted = {} } = template as ClaimTemplate
      const name = claimName(jobSet, own?.name ?? '')
      const found = await find(reader, namespace, name)
      if (found === undefined) continue
      const path = `spec.volumeClaimPolicies[${at}]`
      const { volumeName: _, ...has }: Record<string, unknown> = { ...DEFAULTS, ...found.spec }
      if (!isDeepStrictEqual(has, wanted)) {
        const message = `spec does not match existing PVC ${name} in namespace ${namespace}: it has ${JSON.stringify(has)}; delete that claim, or ask for the same`
        issues.add(`${path}.templates[${index}].spec`, 'invalid-value', message)
      }
      if (retentionPolicy?.whenDeleted !== undefined && retentionPolicy.whenDeleted !== 'Retain') {
        const message = `expected Retain, since the PVC ${name} exists already, found ${retentionPolicy.whenDeleted}`
        issues.add(`${path}.retentionPolicy.whenDeleted`, 'invalid-value', message)
      }
    }
  }
}

async function find(
  reader: Pick<Reader, 'get'>,
  namespace: string,
  name: string,
): Promise<PersistentVolumeClaim | undefined> {
  try {
    return await reader.get(PersistentVolumeClaims, { namespace, name })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
