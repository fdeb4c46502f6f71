import type { JobSet } from '@trainjob/api'
import { dnsSubdomainFault } from '@trainjob/api'
import type { IssueList } from '../issue-list.ts'
import { type ClaimTemplate, claimName, mounts } from './volume-claims.ts'

const MAX_CLAIM_NAME = 63
const MAX_TEMPLATES = 50

/** Checks `volumeClaimPolicies` as far as the JobSet alone tells. Claims that exist already are not looked at. */
export function validateVolumeClaims(jobSet: JobSet, issues: IssueList): void {
  const seen = new Set<string>()
  for (const [at, { templates = [] }] of (jobSet.spec.volumeClaimPolicies ?? []).entries()) {
    const path = `spec.volumeClaimPolicies[${at}].templates`
    if (templates.length > MAX_TEMPLATES) {
      issues.add(path, 'too-many', `expected at most ${MAX_TEMPLATES}, found ${templates.length}`)
    }
    for (const [index, template] of templates.entries()) {
      const own = `${path}[${index}].metadata.name`
      const name = (template as ClaimTemplate).metadata?.name ?? ''
      if (seen.has(name)) issues.add(own, 'duplicate-key', `expected a name of its own, found ${name} again`)
      seen.add(name)
      validateClaim(jobSet, name, own, issues)
    }
  }
}

function validateClaim(jobSet: JobSet, name: string, path: string, issues: IssueList): void {
  const fault = dnsSubdomainFault(name)
  if (fault !== undefined) issues.add(path, 'invalid-value', fault)
  const claim = claimName(jobSet.metadata.name ?? '', name)
  if (claim.length > MAX_CLAIM_NAME) {
    const message = `the claim ${claim} would have ${claim.length} characters, and ${MAX_CLAIM_NAME} are allowed`
    issues.add(path, 'too-long', message)
  }
  const pods = (jobSet.spec.replicatedJobs ?? []).map(({ template }) => template?.spec?.template?.spec)
  for (const [job, pod] of pods.entries()) {
    if (!pod?.volumes?.some((volume) => volume.name === name)) continue
    const volumes = `spec.replicatedJobs[${job}].template.spec.template.spec.volumes`
    issues.add(volumes, 'invalid-value', `the volume ${name} has the name of a claim template; rename one of them`)
  }
  if (!pods.some((pod) => pod?.containers !== undefined && mounts(pod, name))) {
    const message = `no container mounts ${name}, which ${path} names; add a volumeMount of that name`
    issues.add('spec.replicatedJobs', 'invalid-value', message)
  }
}
