import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { type ConnectionFlags, withConnection } from '../../connect/connection.ts'
import { ExitCode } from '../../exit-code.ts'
import { outputForm } from '../../output/output-form.ts'
import { reportError } from '../../report-error.ts'
import { fetchObjects, type Scope } from './fetch-objects.ts'
import { readTargets } from './kind.ts'
import { type PrintOptions, printObjects } from './print-objects.ts'

export interface GetFlags extends ConnectionFlags {
  readonly allNamespaces?: boolean
  readonly selector?: string
  readonly fieldSelector?: string
  readonly output?: string
  readonly watch?: boolean
  readonly headers: boolean
  readonly showLabels?: boolean
}

/** Lists objects, see `getHelp`. What is not there is told, and the rest is still printed. */
export async function get({ flags, args }: Invocation<GetFlags>, io: CommandIO): Promise<ExitCode> {
  const form = outputForm(flags.output)
  const targets = readTargets(args)
  return await withConnection(flags, io, async ({ kube, namespace }) => {
    const scope: Scope = {
      kube,
      signal: io.signal,
      ...(flags.allNamespaces ? {} : { namespace }),
      ...(flags.selector === undefined ? {} : { labelSelector: flags.selector }),
      ...(flags.fieldSelector === undefined ? {} : { fieldSelector: flags.fieldSelector }),
    }
    const options: PrintOptions = {
      form,
      single: targets.length === 1 && targets[0]?.names.length === 1,
      headers: flags.headers,
      namespaces: flags.allNamespaces === true,
      labels: flags.showLabels === true,
      now: io.clock.now(),
    }
    if (flags.watch) {
      const { watchObjects } = await import('./watch-objects.ts')
      return await watchObjects(targets, scope, options, io)
    }
    const { groups, errors } = await fetchObjects(targets, scope)
    const empty = groups.every(({ objects }) => objects.length === 0)
    const listed = form.kind === 'table' || form.kind === 'wide' || form.kind === 'name'
    if (errors.length > 0 && empty) throw errors[0]
    if (empty && listed) {
      io.stderr.write(
        scope.namespace === undefined
          ? 'No resources found\n'
          : `No resources found in ${scope.namespace} namespace.\n`,
      )
    } else {
      io.stdout.write(await printObjects(groups, options))
    }
    for (const error of errors) reportError(error, io, false)
    return errors.length > 0 ? ExitCode.failed : ExitCode.ok
  })
}
