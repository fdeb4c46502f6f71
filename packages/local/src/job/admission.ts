import { type Job, Jobs } from '@trainjob/api'
import type { AdmissionHook } from '@trainjob/controller'
import { issueList } from '../issue-list.ts'
import { defaultJob } from './defaults.ts'
import { validateJob } from './validate.ts'
import { validateGeneratedSelector } from './validate-selector.ts'
import { validateJobUpdate } from './validate-update.ts'

/** Defaulting and validation of Jobs, as Kubernetes does it. */
export function jobAdmission(): AdmissionHook<Job> {
  return {
    resource: Jobs,
    async mutate({ object, operation, subresource }) {
      const isNew = operation === 'CREATE' && subresource === undefined && typeof object.spec === 'object'
      return isNew ? defaultJob(object) : object
    },
    async validate({ object, oldObject, operation, subresource }) {
      const issues = issueList(object)
      if (operation === 'DELETE' || subresource !== undefined) return { errors: [], warnings: [] }
      if (typeof object.spec !== 'object') issues.add('spec', 'required', 'expected the spec of a Job, found none')
      else {
        validateJob(object, issues)
        if (oldObject === undefined) validateGeneratedSelector(object, issues)
        else validateJobUpdate(oldObject, object, issues)
      }
      return { errors: issues.issues, warnings: [] }
    },
  }
}
