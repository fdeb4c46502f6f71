/**
 * What upstream writes into a TrainJob's conditions
 * (source: kubeflow/trainer v2.3.0, pkg/controller/trainjob_controller.go).
 */
import {
  type Condition,
  MESSAGE_DEADLINE_EXCEEDED,
  MESSAGE_RESUMED,
  MESSAGE_SUSPENDED,
  REASON_DEADLINE_EXCEEDED,
  REASON_RESUMED,
  REASON_RUNTIME_NOT_SUPPORTED,
  REASON_SUSPENDED,
  TRAINJOB_FAILED,
  TRAINJOB_SUSPENDED,
} from '@trainjob/api'

/** A condition without its time, which depends on what was there before. */
export type NewCondition = Omit<Condition, 'lastTransitionTime'>

export const SUSPENDED: NewCondition = {
  type: TRAINJOB_SUSPENDED,
  status: 'True',
  reason: REASON_SUSPENDED,
  message: MESSAGE_SUSPENDED,
}

export const RESUMED: NewCondition = {
  type: TRAINJOB_SUSPENDED,
  status: 'False',
  reason: REASON_RESUMED,
  message: MESSAGE_RESUMED,
}

export const DEADLINE_EXCEEDED: NewCondition = {
  type: TRAINJOB_FAILED,
  status: 'True',
  reason: REASON_DEADLINE_EXCEEDED,
  message: MESSAGE_DEADLINE_EXCEEDED,
}

/** The runtimeRef names a kind that no runtime has. */
export function runtimeNotSupported(kind: string): NewCondition {
  return {
    type: TRAINJOB_FAILED,
    status: 'True',
    reason: REASON_RUNTIME_NOT_SUPPORTED,
    message: `unsupported runtime: ${kind}`,
  }
}
