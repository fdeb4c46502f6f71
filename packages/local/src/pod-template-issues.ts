import { isQuantity, type PodTemplateSpec, quantityFault } from '@trainjob/api'
import type { IssueList } from './issue-list.ts'

/** What a pod template must have for the engines to work with it; the pods themselves are checked when they are created. */
export function checkPodTemplate(template: PodTemplateSpec | undefined, path: string, issues: IssueList): void {
  const containers = template?.spec?.containers ?? []
  if (containers.length === 0) {
    issues.add(`${path}.spec.containers`, 'required', 'expected at least one container, found none; add one')
  }
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [at, { name, resources }] of (template?.spec?.[list] ?? []).entries()) {
      const own = `${path}.spec.${list}[${at}]`
      if (!name) issues.add(`${own}.name`, 'required', 'expected a name, found none; every container needs one')
      for (const part of ['requests', 'limits'] as const) {
        for (const [resource, quantity] of Object.entries(resources?.[part] ?? {})) {
          if (isQuantity(quantity)) continue
          issues.add(`${own}.resources.${part}.${resource}`, 'invalid-value', quantityFault(quantity))
        }
      }
    }
  }
}
