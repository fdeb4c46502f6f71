import type { ReplicatedJob } from '@trainjob/api'
import { type FactKey, findFact } from '../../find-fact.ts'
import type { Info } from '../../info.ts'
import type { FindingsCollector } from '../../plugin.ts'
import { validateGang } from '../gang/validate.ts'
import { QUEUE_ANNOTATION, SYSTEM_PRIORITY_CLASSES } from './constants.ts'

/** Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/volcano/volcano.go (`Validate`). */
export function validateVolcano(info: Info, _old: unknown, findings: FindingsCollector): void {
  if (!info.podGroupPolicy?.volcano) return
  validateGang(info, findings)
  if (info.annotations[QUEUE_ANNOTATION] === '') {
    findings.error({
      path: `spec.annotations[${QUEUE_ANNOTATION}]`,
      code: 'invalid-value',
      message: `expected the name of a queue in the annotation ${QUEUE_ANNOTATION}, found nothing; leave it out to use the default queue`,
    })
  }
  for (const key of priorityClassKeys(info.template.replicatedJobs ?? [])) {
    if (findFact(info.facts, key)) continue
    findings.error({
      path: 'spec.templateSpec.priorityClassName',
      code: 'priority-class-not-found',
      message: `expected a PriorityClass that exists, found ${key.name}, which does not; create it or name another one in the runtime`,
    })
  }
}

/**
 * The PriorityClasses that must exist. Like upstream, the search ends at the first job with a class that every cluster
 * has: classes of later jobs go unchecked.
 */
export function priorityClassKeys(jobs: readonly ReplicatedJob[]): readonly FactKey[] {
  const keys: FactKey[] = []
  for (const { template } of jobs) {
    const name = template?.spec?.template?.spec?.priorityClassName
    if (typeof name !== 'string' || name === '') continue
    if (SYSTEM_PRIORITY_CLASSES.has(name)) break
    keys.push({ group: 'scheduling.k8s.io', kind: 'PriorityClass', name })
  }
  return keys
}
