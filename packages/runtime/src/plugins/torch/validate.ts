import { ANCESTOR_TRAINER, NODE_NAME } from '@trainjob/api'
import { containerOfAncestor, containerOfPodSet, type Info } from '../../info.ts'
import type { FindingsCollector } from '../../plugin.ts'
import { warnOfReservedEnv } from '../reserved-env.ts'
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
  const injected = (torch.envInjection?.targets ?? []).flatMap(({ jobName, containerNames }) =>
    containerNames.map((name) => containerOfPodSet(info, jobName, name)),
  )
  const trainer = containerOfAncestor(info, ANCESTOR_TRAINER, NODE_NAME)
  warnOfReservedEnv('torch', [trainer, ...injected], TORCH_RESERVED_ENV, findings)
}
