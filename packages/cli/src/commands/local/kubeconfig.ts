import { readFileSync } from 'node:fs'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { localKubeconfigFile } from '../../connect/local-kubeconfig-file.ts'
import { ExitCode } from '../../exit-code.ts'

export interface LocalKubeconfigFlags {
  readonly name?: string
  readonly path?: boolean
}

/** Prints the kubeconfig of a cluster in the background, or where it is. */
export async function localKubeconfig({ flags }: Invocation<LocalKubeconfigFlags>, io: CommandIO): Promise<ExitCode> {
  const file = localKubeconfigFile(flags.name ?? 'default', io)
  io.stdout.write(flags.path ? `${file}\n` : readFileSync(file, 'utf8'))
  return ExitCode.ok
}
