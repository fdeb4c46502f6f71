import type { JobSet } from '@trainjob/api'
import { dnsSubdomainFault } from '@trainjob/api'
import type { IssueList } from '../issue-list.ts'
import { type ClaimTemplate, claimName, mounts } from './volume-claims.ts'

const MAX_CLAIM_NAME = 63
const MAX_TEMPLATES = 50

/** Checks `volumeClaimPolicies` as far as the JobSet alone tells. Claims that exist already are not looked at. */
export function validateVolumeClaims(jobSet: JobSet, issues: IssueList): void {
  const pods = (jobSet.spec.replicatedJobs ?? []).map(({ template }) => template?.spec?.template?.spec)
  const seen = new Set<string>()
  for (const [at, { templates = [] }] of (jobSet.spec.volumeClaimPolicies ?? []).entries()) {
    const path = `spec.volumeClaimPolicies[${at}].templates`
    if (templates.length > MAX_TEMPLATES) {
      issues.add(path, 'too-many', `expected at most ${MAX_TEMPLATES}, found ${templates.length}`)
    }
    for (const [index, template] of templates.entries()) {
      const own = `${path}[${index}].metadata.name`
      const name = (template as ClaimTemplate).metadata?.name ?? ''
      const fault = dnsSubdomainFault(name)
      const claim = claimName(jobSet.metadata.name ?? '', name)
      if (fault !== undefined) issues.add(own, 'invalid-value', fault)
      if (seen.has(name)) issues.add(own, 'duplicate-key', `expected a name of its own, found ${name} again`)
      seen.add(name)
      if (claim.length > MAX_CLAIM_NAME) {
        issues.add(
          own,
          'too-long',
          `the claim ${claim} would have ${claim.length} characters, and ${MAX_CLAIM_NAME} are allowed`,
        )
      }
      for (const [job, pod] of pods.entries()) {
        if (!pod?.volumes?.some((volume) => volume.name === name)) continue
        const volumes = `spec.replicatedJobs[${job}].template.spec.template.spec.volumes`
        issues.add(volumes, 'invalid-value', `the volume ${name} has the name of a claim template; rename one of them`)
      }
      if (!pods.some((pod) => pod?.containers !== undefined && mounts(pod, name))) {
        issues.add(own, 'invalid-value', `no container mounts ${name}; add a volumeMount of that name`)
      }
    }
  }
}
