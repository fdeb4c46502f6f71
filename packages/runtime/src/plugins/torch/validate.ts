import { ANCESTOR_TRAINER, type Container, NODE_NAME } from '@trainjob/api'
import { containerOfAncestor, containerOfPodSet, type Info } from '../../info.ts'
import type { FindingsCollector } from '../../plugin.ts'
import { TORCH_RESERVED_ENV } from './constants.ts'
import { isTorchTune } from './torchtune/recipe.ts'
import { validateTorchTune } from './torchtune/validate.ts'

/** Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/torch/torch.go (`Validate`). */
export function validateTorch(info: Info, _old: unknown, findings: FindingsCollector): void {
  const torch = info.mlPolicy?.torch
  if (!torch) return
  for (const { jobName, containerNames } of torch.envInjection?.targets ?? []) {
    for (const name of containerNames) {
      if (containerOfPodSet(info, jobName, name)) continue
      findings.error({
        path: 'spec.runtimeRef',
        code: 'env-injection-target-not-found',
        message: `expected container ${name} in replicated job ${jobName} of the runtime, which envInjection names; there is none`,
      })
    }
  }
  const reserved = new Set(
    (info.trainer?.env ?? []).map(({ name }) => name).filter((name) => TORCH_RESERVED_ENV.has(name)),
  )
  if (reserved.size > 0) {
    findings.error({
      path: 'spec.trainer.env',
      code: 'reserved-env',
      message: `expected variables other than those that the torch runtime sets, found ${[...reserved].sort().join(', ')}; leave them out`,
    })
  }
  if (info.trainer && isTorchTune(info.trainer.command)) validateTorchTune(info, findings)
  warnOfOverwritten(info, findings)
}

/** Variables that the runtime or a patch gives to a container and the plugin replaces. */
function warnOfOverwritten(info: Info, findings: FindingsCollector): void {
  const containers: (Container | undefined)[] = [containerOfAncestor(info, ANCESTOR_TRAINER, NODE_NAME)]
  for (const { jobName, containerNames } of info.mlPolicy?.torch?.envInjection?.targets ?? []) {
    containers.push(...containerNames.map((name) => containerOfPodSet(info, jobName, name)))
  }
  for (const container of containers) {
    const overwritten = (container?.env ?? []).map(({ name }) => name).filter((name) => TORCH_RESERVED_ENV.has(name))
    if (!container || overwritten.length === 0) continue
    findings.warning({
      path: 'spec.runtimeRef',
      code: 'reserved-env',
      message: `${overwritten.join(', ')} of container ${container.name} in the runtime will be overwritten: the torch policy sets them`,
    })
  }
}
