import { type Pod, Pods } from '@trainjob/api'
import type { AdmissionHook } from '@trainjob/controller'
import { JOBSET_NAME, NODE_SELECTOR_STRATEGY, PRIORITY } from './labels.ts'

/**
 * Writes the priority of a JobSet's pod on it as a label, as JobSet does for the sake of exclusive placement; its other
 * part, affinity to one domain, means nothing on a single machine. (Source: jobset v0.12, pod_webhook.go.)
 */
export function jobSetPodAdmission(): AdmissionHook<Pod> {
  return {
    resource: Pods,
    async mutate({ object, operation, subresource }) {
      const { annotations, labels } = object.metadata
      const isNew = operation === 'CREATE' && (subresource === undefined || subresource === '')
      if (!isNew || annotations?.[JOBSET_NAME] === undefined) return object
      if (annotations[NODE_SELECTOR_STRATEGY] !== undefined) return object
      const priority = String(object.spec?.priority ?? 0)
      return { ...object, metadata: { ...object.metadata, labels: { ...labels, [PRIORITY]: priority } } }
    },
  }
}
