import { type JobSet, JobSets } from '@trainjob/api'
import type { AdmissionHook } from '@trainjob/controller'
import type { Reader } from '@trainjob/kube'
import { issueList } from '../issue-list.ts'
import { applySchemaDefaults, applyWebhookDefaults } from './defaults.ts'
import { validateJobSet } from './validate.ts'
import { validateExistingClaims } from './validate-existing-claims.ts'
import { validateJobSetUpdate } from './validate-update.ts'
import { validateValues } from './validate-values.ts'

/**
 * Defaulting and validation of JobSets, as JobSet's CRD and webhook do it.
 *
 * @param reader where claims are that exist already; they are not looked at when left out
 */
export function jobSetAdmission(reader?: Pick<Reader, 'get'>): AdmissionHook<JobSet> {
  return {
    resource: JobSets,
    async mutate({ object, operation, subresource }) {
      if (operation === 'DELETE' || subresource !== undefined || typeof object.spec !== 'object') return object
      const defaulted = applySchemaDefaults(object)
      return operation === 'CREATE' ? applyWebhookDefaults(defaulted) : defaulted
    },
    async validate({ object, oldObject, operation, subresource }) {
      if (operation === 'DELETE' || subresource !== undefined) return { errors: [], warnings: [] }
      const issues = issueList(object)
      if (typeof object.spec !== 'object') issues.add('spec', 'required', 'expected the spec of a JobSet, found none')
      else {
        validateValues(object.spec, issues)
        if (oldObject === undefined) {
          validateJobSet(object, issues)
          if (reader !== undefined) await validateExistingClaims(object, reader, issues)
        } else validateJobSetUpdate(oldObject, object, issues)
      }
      return { errors: issues.issues, warnings: [] }
    },
  }
}
