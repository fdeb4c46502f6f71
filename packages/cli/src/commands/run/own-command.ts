import { ANCESTOR_LABEL, ANCESTOR_TRAINER, type AnyTrainingRuntime, NODE_NAME, type ReplicatedJob } from '@trainjob/api'

/** What the trainer container of a runtime runs by itself; `undefined` when it leaves that to the job or the image. */
export function ownCommand({ spec }: AnyTrainingRuntime): readonly string[] | undefined {
  return commandIn(spec.template?.spec?.replicatedJobs)
}

/** What the trainer container runs: the words of its command and its arguments; `undefined` without a command. */
export function commandIn(jobs: readonly ReplicatedJob[] = []): readonly string[] | undefined {
  const job = jobs.find(({ template }) => template?.metadata?.labels?.[ANCESTOR_LABEL] === ANCESTOR_TRAINER)
  const container = job?.template?.spec?.template?.spec?.containers?.find(({ name }) => name === NODE_NAME)
  const { command = [], args = [] } = container ?? {}
  return command.length === 0 ? undefined : [...command, ...args]
}
