import { type Event, Events } from '@trainjob/api'
import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { type Connection, type ConnectionFlags, withConnection } from '../../connect/connection.ts'
import { ExitCode } from '../../exit-code.ts'
import { outputForm } from '../../output/output-form.ts'
import { trainJobNames } from '../for-each-train-job.ts'
import { printObjects } from '../get/print-objects.ts'

export interface EventsFlags extends ConnectionFlags {
  readonly allNamespaces?: boolean
  readonly output?: string
  readonly headers: boolean
}

/** Events of a job and its parts, or of a namespace; oldest first. */
export async function events({ flags, args }: Invocation<EventsFlags>, io: CommandIO): Promise<ExitCode> {
  const [name, ...more] = args.length === 0 ? [] : trainJobNames(args)
  if (more.length > 0) throw new CliError('usage', 'expected the name of one TrainJob, or none.')
  const form = outputForm(flags.output)
  return await withConnection(flags, io, async (connection) => {
    const found = await find(name, flags, connection, io)
    if (found.length === 0 && form.kind === 'table') {
      io.stderr.write('No events found.\n')
      return ExitCode.ok
    }
    const options = { form, single: false, headers: flags.headers, labels: false, now: io.clock.now() }
    const namespaces = flags.allNamespaces === true
    io.stdout.write(await printObjects([{ resource: Events, objects: found }], { ...options, namespaces }))
    return ExitCode.ok
  })
}

async function find(
  name: string | undefined,
  flags: EventsFlags,
  { openTrainer, kube, namespace }: Connection,
  io: CommandIO,
): Promise<readonly Event[]> {
  if (name !== undefined) {
    const trainer = await openTrainer()
    const run = await trainer.attach(name, { namespace, signal: io.signal })
    return await run.events({ signal: io.signal })
  }
  const found: Event[] = []
  for await (const event of kube.listAll(Events, {
    signal: io.signal,
    ...(flags.allNamespaces ? {} : { namespace }),
  })) {
    found.push(event)
  }
  return found.toSorted((left, right) => timeOf(left).localeCompare(timeOf(right)))
}

function timeOf(event: Event): string {
  return event.lastTimestamp ?? event.eventTime ?? event.firstTimestamp ?? event.metadata.creationTimestamp ?? ''
}
