import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { ExitCode } from '../../exit-code.ts'
import { version } from '../../version.ts'

export interface VersionFlags {
  readonly output?: 'text' | 'json'
}

/** Prints what this program is and what it stands on. */
export async function printVersion({ flags }: Invocation<VersionFlags>, io: CommandIO): Promise<ExitCode> {
  const facts = {
    version,
    api: 'trainer.kubeflow.org/v1alpha1',
    trainer: '2.3.0',
    node: process.versions.node,
    platform: `${process.platform}/${process.arch}`,
  }
  io.stdout.write(
    flags.output === 'json'
      ? `${JSON.stringify(facts, null, 2)}\n`
      : `trainjob ${facts.version}\n${facts.api} as of Kubeflow Trainer ${facts.trainer}\nNode ${facts.node} on ${facts.platform}\n`,
  )
  return ExitCode.ok
}
