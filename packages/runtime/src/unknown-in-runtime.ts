import type { AnyTrainingRuntime, ReplicatedJob, TrainJob } from '@trainjob/api'
import type { FindingsCollector } from './plugin.ts'

/**
 * Patches of jobs and containers that the runtime lacks. The merge would add them: a container without an image, which
 * no cluster runs.
 */
export function unknownInRuntime(trainJob: TrainJob, runtime: AnyTrainingRuntime, findings: FindingsCollector): void {
  const jobs = runtime.spec.template?.spec?.replicatedJobs ?? []
  trainJob.spec.runtimePatches?.forEach(({ trainingRuntimeSpec }, p) => {
    trainingRuntimeSpec?.template?.spec?.replicatedJobs?.forEach((patch, j) => {
      const path = `spec.runtimePatches[${p}].trainingRuntimeSpec.template.spec.replicatedJobs[${j}]`
      const job = jobs.find(({ name }) => name === patch.name)
      if (!job) {
        findings.warning({
          path: `${path}.name`,
          code: 'unknown-replicated-job',
          message: `expected a replicated job of the runtime (${listed(jobs)}), found ${patch.name}, which the patch would add`,
        })
        return
      }
      const { containers = [], initContainers = [] } = patch.template?.spec?.template?.spec ?? {}
      const known = containersOf(job)
      for (const [field, patched] of Object.entries({ containers, initContainers })) {
        patched.forEach(({ name }, c) => {
          if (known.some((container) => container.name === name)) return
          findings.warning({
            path: `${path}.template.spec.template.spec.${field}[${c}].name`,
            code: 'unknown-container',
            message: `expected a container of ${job.name} (${listed(known)}), found ${name}, which the patch would add without an image`,
          })
        })
      }
    })
  })
}

function containersOf(job: ReplicatedJob): readonly { name: string }[] {
  const { containers = [], initContainers = [] } = job.template?.spec?.template?.spec ?? {}
  return [...containers, ...initContainers]
}

function listed(items: readonly { name: string }[]): string {
  return items.map(({ name }) => name).join(', ') || 'there is none'
}
