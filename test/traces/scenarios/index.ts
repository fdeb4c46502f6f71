import type { Scenario } from '../scenario.ts'
import { adversity } from './adversity.ts'
import { jobCompletion } from './job-completion.ts'
import { jobFailure } from './job-failure.ts'
import { jobLife } from './job-life.ts'
import { jobPolicies } from './job-policies.ts'
import { jobSetFailure } from './jobset-failure.ts'
import { jobSetLife } from './jobset-life.ts'
import { jobSetOrder } from './jobset-order.ts'
import { jobSetRestart } from './jobset-restart.ts'

/** All scenarios, by what they are about. */
export const SCENARIOS: Readonly<Record<string, readonly Scenario[]>> = {
  'completions of a Job': jobCompletion,
  'failures of a Job': jobFailure,
  'policies of a Job': jobPolicies,
  'life of a Job': jobLife,
  'failures of a JobSet': jobSetFailure,
  'restarts of a JobSet': jobSetRestart,
  'order in a JobSet': jobSetOrder,
  'life of a JobSet': jobSetLife,
  'what others do': adversity,
}
