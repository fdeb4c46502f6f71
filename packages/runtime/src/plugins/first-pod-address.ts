import { NODE_NAME } from '@trainjob/api'
import type { Info, PodSet } from '../info.ts'

/** Host name of the first pod of the trainer, where the others meet. */
export function firstPodAddress(info: Info, trainer: PodSet | undefined): string {
  const job = info.trainJob.metadata.name ?? ''
  if (trainer && info.deviates('master-address-of-the-trainer-job')) {
    return `${job}-${trainer.name}-0-0.${info.template.network?.subdomain ?? job}`
  }
  return `${job}-${NODE_NAME}-0-0.${job}`
}
