import { ANCESTOR_TRAINER, type Container, NODE_NAME, type Trainer } from '@trainjob/api'
import { upsertEnv } from '../../env.ts'
import type { Info } from '../../info.ts'

/**
 * `spec.trainer` in the jobs that train. The variables of the TrainJob go in last, so they win over those of plugins
 * (validation keeps them apart).
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/jobset/builder.go (`Trainer`).
 */
export function applyTrainer(info: Info): void {
  const workersAreNodes =
    info.mlPolicy?.mpi !== undefined &&
    (info.mlPolicy.mpi.runLauncherAsNode === true || info.deviates('env-in-mpi-workers'))
  for (const podSet of info.podSets) {
    const isTrainer = podSet.ancestor === ANCESTOR_TRAINER
    if (isTrainer) podSet.job.replicas = 1
    if (!info.trainer || !(isTrainer || (workersAreNodes && podSet.name === NODE_NAME))) continue
    for (const container of podSet.containers) {
      if (container.name !== NODE_NAME) continue
      if (isTrainer) applyProgram(container, info.trainer)
      upsertEnv(container, info.trainerEnv)
    }
  }
}

/** An empty command or empty args take away the runtime's. */
function applyProgram(container: Container, { image, command, args }: Trainer): void {
  if (image !== undefined) container.image = image
  if (command?.length) container.command = command
  else if (command) delete container.command
  if (args?.length) container.args = args
  else if (args) delete container.args
}
