import { TrainJobs } from '@trainjob/api'
import { CliError } from '../cli-error.ts'
import type { CommandIO } from '../command-io.ts'
import { type Connection, type ConnectionFlags, withConnection } from '../connect/connection.ts'
import { ExitCode } from '../exit-code.ts'
import { reportError } from '../report-error.ts'
import { kindOf, nameOf } from './get/kind.ts'

/**
 * Does something to each TrainJob that is named and prints a line like kubectl's for it. One that fails is reported and
 * does not keep the others from their turn.
 */
export async function forEachTrainJob(
  args: readonly string[],
  flags: ConnectionFlags,
  io: CommandIO,
  act: (connection: Connection, name: string) => Promise<string>,
): Promise<ExitCode> {
  const names = trainJobNames(args)
  return await withConnection(flags, io, async (connection) => {
    let worst: ExitCode = ExitCode.ok
    for (const name of names) {
      try {
        const done = await act(connection, name)
        io.stdout.write(`${nameOf(TrainJobs, { metadata: { name } })} ${done}\n`)
      } catch (error) {
        if (io.signal.aborted) throw error
        worst = reportError(error, io, false)
      }
    }
    return worst
  })
}

/** Reads `NAME...`, `trainjob NAME...` and `trainjob/NAME...`. Throws `CliError` `usage`. */
export function trainJobNames(args: readonly string[]): readonly string[] {
  const isTrainJob = (word: string): boolean => kindOf(word)?.[0] === TrainJobs
  const [first = '', ...rest] = args
  const words = rest.length > 0 && isTrainJob(first) ? rest : args
  if (words.length === 0) throw new CliError('usage', 'expected the name of a TrainJob; see --help.')
  return words.map((word) => {
    const [kind = '', name] = word.split('/')
    if (name === undefined) return word
    if (!isTrainJob(kind)) throw new CliError('usage', `this command takes TrainJobs; found "${word}".`)
    return name
  })
}
