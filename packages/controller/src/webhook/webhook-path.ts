import type { AdmissionHook } from '../admission/hook.ts'
import type { AdmissionPhase } from './admission-review.ts'

/** Where the webhook of a resource is served, like `/mutate-trainjobs.trainer.kubeflow.org`. */
export function webhookPath(phase: AdmissionPhase, { plural, group }: AdmissionHook['resource']): string {
  return `/${phase}-${plural}.${group}`
}
