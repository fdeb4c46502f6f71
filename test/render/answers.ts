import type { Findings, KubernetesObject } from '@trainjob/api'
import { RenderError, render, validate, validateRuntime } from '@trainjob/runtime'
import type { Answer, Question } from '../oracle/oracle.ts'

/** What of an answer both sides must agree on. */
export interface Verdict {
  readonly objects: readonly KubernetesObject[] | 'refused'
  readonly jobFaults: readonly string[]
  readonly runtimeFaults: readonly string[]
  readonly deprecated: boolean
}

/** Ours. */
export function ourVerdict({ runtimes, objects = [], trainJob, oldTrainJob }: Question): Verdict {
  const [runtime] = runtimes
  if (!runtime) throw new Error('Expected a runtime in the question.')
  const options = { compat: 'upstream', facts: { objects } } as const
  const findings = validate(trainJob, runtime, oldTrainJob ? { ...options, old: oldTrainJob } : options)
  return {
    objects: rendered(() => render(trainJob, runtime, options).objects),
    jobFaults: paths(findings.errors),
    runtimeFaults: paths(validateRuntime(runtime).errors),
    deprecated: findings.warnings.some(({ code }) => code === 'deprecated-runtime'),
  }
}

function rendered(make: () => readonly KubernetesObject[]): Verdict['objects'] {
  try {
    return JSON.parse(JSON.stringify(make())) as readonly KubernetesObject[]
  } catch (error) {
    if (error instanceof RenderError) return 'refused'
    throw error
  }
}

/** Upstream's. */
export function upstreamVerdict({
  objects = [],
  jobErrors = [],
  runtimeErrors = [],
  warnings = [],
  error,
}: Answer): Verdict {
  return {
    objects: error === undefined ? objects : 'refused',
    jobFaults: paths(jobErrors),
    runtimeFaults: paths(runtimeErrors),
    deprecated: warnings.some((warning) => warning.startsWith('Referenced ClusterTrainingRuntime')),
  }
}

/** Two faults of one field count once: upstream splits some that we say in one sentence. */
function paths(faults: Findings['errors'] | readonly { path: string }[]): readonly string[] {
  return [...new Set(faults.map(({ path }) => path))].sort()
}
