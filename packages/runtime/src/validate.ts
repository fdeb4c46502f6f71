import {
  type AnyTrainingRuntime,
  type Findings,
  findLongName,
  type Issue,
  RUNTIME_DEPRECATION_POLICY_URL,
  SUPPORT_DEPRECATED,
  SUPPORT_LABEL,
  type TrainJob,
} from '@trainjob/api'
import { RenderError, type RenderErrorCode } from './error.ts'
import type { Info } from './info.ts'
import { newInfo } from './new-info.ts'
import type { FindingsCollector } from './plugin.ts'
import { changesOperations, validateOperationsUpdate } from './plugins/json-patch/operations-update.ts'
import { PLUGINS } from './plugins/registry.ts'
import { completeInfo, renderInfo } from './render.ts'
import { withRuntimeNames } from './runtime-names.ts'
import type { RenderOptions } from './types.ts'
import { unknownInRuntime } from './unknown-in-runtime.ts'

/** As for `render`, and what was there before. */
export interface ValidateOptions extends RenderOptions {
  /** The stored job, when this is an update of it. */
  readonly old?: TrainJob
}

/**
 * What upstream's webhook says about a TrainJob and the runtime it refers to (the errors; same verdict, same paths), and
 * what is known to fail later although upstream accepts it (the warnings).
 *
 * Codes of warnings: `name-too-long`, `unknown-replicated-job`, `unknown-container`, `deprecated-runtime`, and those of
 * `RenderError`.
 *
 * @example
 * const runtime = shippedRuntimes().find(({ metadata }) => metadata.name === trainJob.spec.runtimeRef.name)
 * if (runtime === undefined) throw new Error('it is not shipped')
 * const trainer = { numProcPerNode: 2, env: [{ name: 'PET_NNODES', value: '2' }] }
 * const { errors } = validate({ ...trainJob, spec: { ...trainJob.spec, trainer } }, runtime)
 * errors.map(({ path }) => path) // => ['spec.trainer.env']
 */
export function validate(trainJob: TrainJob, runtime: AnyTrainingRuntime, options: ValidateOptions = {}): Findings {
  const { findings, collector } = collect(trainJob)
  deprecation(runtime, collector)
  try {
    const info = newInfo(trainJob, runtime, options)
    for (const plugin of PLUGINS) plugin.validate?.(info, options.old, collector)
    unknownInRuntime(withRuntimeNames(trainJob, runtime), runtime, collector)
    if (findings.errors.length === 0) checkRendered(info, runtime, options, collector)
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    const { path, code, message } = error
    if (UNTRANSLATABLE.has(code)) collector.error({ path, code, message })
    else collector.warning({ path, code, message })
  }
  return findings
}

/** Faults of what the document's form says: upstream has no opinion, and without them nothing can be rendered. */
const UNTRANSLATABLE: ReadonlySet<RenderErrorCode> = new Set(['json-patch-failed', 'gpu-count-mismatch'])

function collect({ kind, metadata }: TrainJob): { findings: Findings; collector: FindingsCollector } {
  const object = { kind, namespace: metadata.namespace ?? 'default', name: metadata.name ?? '' }
  const errors: Issue[] = []
  const warnings: Issue[] = []
  return {
    findings: { errors, warnings },
    collector: {
      error: (finding) => errors.push({ ...finding, object }),
      warning: (finding) => warnings.push({ ...finding, object }),
    },
  }
}

/** Upstream warns for cluster runtimes only. */
function deprecation({ kind, metadata }: AnyTrainingRuntime, findings: FindingsCollector): void {
  if (kind !== 'ClusterTrainingRuntime' || metadata.labels?.[SUPPORT_LABEL] !== SUPPORT_DEPRECATED) return
  findings.warning({
    path: 'spec.runtimeRef',
    code: 'deprecated-runtime',
    message: `the runtime ${metadata.name} is deprecated and will go in a future release of Kubeflow Trainer; see ${RUNTIME_DEPRECATION_POLICY_URL}`,
  })
}

/** What is seen when `begun` is rendered to its end; JobSet refuses a job with too long names only after the TrainJob was accepted. */
function checkRendered(
  begun: Info,
  runtime: AnyTrainingRuntime,
  options: ValidateOptions,
  findings: FindingsCollector,
): void {
  const { trainJob } = begun
  const name = trainJob.metadata.name ?? ''
  const info = completeInfo(begun)
  for (const warning of info.warnings) findings.warning(warning)
  const { old } = options
  if (old && changesOperations(old, trainJob)) {
    validateOperationsUpdate(renderInfo(old, runtime, options), info, findings)
  }
  const tooLong = findLongName(name, info.template)
  if (!tooLong) return
  const { what, generated, replicatedJob, longest } = tooLong
  findings.warning({
    path: 'metadata.name',
    code: 'name-too-long',
    message:
      longest > 0
        ? `the ${what} ${generated} of ${replicatedJob} would have ${generated.length} characters, at most 63 are allowed; the longest name that fits has ${longest}, for example ${shortened(name, longest)}`
        : `the ${what} ${generated} of ${replicatedJob} would have ${generated.length} characters, at most 63 are allowed; no name fits, so the runtime needs a shorter job name`,
  })
}

function shortened(name: string, length: number): string {
  return name.slice(0, length).replace(/-+$/, '')
}
