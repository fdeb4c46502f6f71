import { type Pod, Pods } from '@trainjob/api'
import type { AdmissionHook } from '@trainjob/controller'

/** Defaults of a pod's fields that this project relies on; Kubernetes has more (source: pkg/apis/core/v1/defaults.go). */
const DEFAULTS = {
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
  terminationGracePeriodSeconds: 30,
  schedulerName: 'default-scheduler',
  securityContext: {},
  enableServiceLinks: true,
} as const

/** Gives pods the defaults of Kubernetes. */
export function podAdmission(): AdmissionHook<Pod> {
  return {
    resource: Pods,
    async mutate({ object, operation, subresource }) {
      if (operation === 'DELETE' || (subresource !== undefined && subresource !== '')) return object
      // also of one that is sent again without them
      return { ...object, spec: { ...DEFAULTS, ...object.spec } }
    },
  }
}
