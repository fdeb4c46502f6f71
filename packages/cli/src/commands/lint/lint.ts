import { resolve } from 'node:path'
import type { Issue } from '@trainjob/api'
import { fixManifest, lint as lintSubject, UPSTREAM_LINKS } from '@trainjob/api/lint'
import type { ManifestDocument } from '@trainjob/api/parse'
import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import { isRuntime, type Manifests, readManifests } from '../../input/manifests.ts'
import { type FileFlags, type InputText, readFiles } from '../../input/read-files.ts'
import { printVerdict } from '../validate/print-verdict.ts'

const { writeFileSync } = process.getBuiltinModule('node:fs')

export interface LintFlags extends FileFlags {
  readonly fix?: boolean
  readonly output?: 'text' | 'json'
  readonly namespace?: string
}

/** Advice on files, see `lintHelp`. */
export async function lint({ flags, args }: Invocation<LintFlags>, io: CommandIO): Promise<ExitCode> {
  if (args[0] !== undefined) throw new CliError('usage', `"${args[0]}" stands alone; did you mean -f ${args[0]}?`)
  const read = await readFiles(flags, io)
  const texts = flags.fix === true ? read.map((input) => fixed(input, flags, io)) : read
  const manifests = readManifests(texts, { namespace: flags.namespace ?? 'default' })
  const advice = adviceOn(manifests)
  const { jobs, others } = manifests
  const errors = manifests.errors.map(linked)
  const verdict = { valid: errors.length === 0, errors, warnings: [...manifests.warnings.map(linked), ...advice] }
  // stdin in canonical form is the result then; what is said about it goes elsewhere
  const isFilter = flags.fix === true && texts.some(({ file }) => file === 'stdin')
  return printVerdict(verdict, jobs.length + others.length, flags.output, isFilter ? { ...io, stdout: io.stderr } : io)
}

function fixed({ file, text }: InputText, flags: LintFlags, io: CommandIO): InputText {
  const result = fixManifest(text)
  if (file === 'stdin') {
    io.stdout.write(result.text)
  } else if (result.fixed > 0) {
    writeFileSync(resolve(io.cwd, file), result.text)
    const objects = result.fixed === 1 ? 'one object' : `${result.fixed} objects`
    if (flags.output !== 'json') io.stderr.write(`${file}: ${objects} brought into canonical form\n`)
  }
  return { file, text: result.text }
}

/** Rules of lint name their source themselves. */
function linked(issue: Issue): Issue {
  const link = Object.hasOwn(UPSTREAM_LINKS, issue.code) ? UPSTREAM_LINKS[issue.code] : undefined
  return link === undefined ? issue : { ...issue, message: `${issue.message}. See ${link}` }
}

function adviceOn({ jobs, others }: Manifests): readonly Issue[] {
  const ofJobs = jobs.flatMap(({ trainJob, runtime, document }) =>
    lintSubject({ trainJob: (document?.object as typeof trainJob | undefined) ?? trainJob, runtime }).map((issue) =>
      placed(issue, document),
    ),
  )
  const ofRuntimes = others.flatMap((document) =>
    isRuntime(document.object)
      ? lintSubject({ trainJob: undefined, runtime: document.object }).map((issue) => placed(issue, document))
      : [],
  )
  return [...ofJobs, ...ofRuntimes]
}

function placed(issue: Issue, document: ManifestDocument | undefined): Issue {
  if (document?.file === undefined) return issue
  return { ...issue, file: document.file, line: document.positions.lineOf(issue.path) }
}
