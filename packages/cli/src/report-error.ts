import type { Issue } from '@trainjob/api'
import type { CommandIO } from './command-io.ts'
import { ExitCode } from './exit-code.ts'
import { issueLine } from './output/issue-line.ts'

/** What `-o json` prints on stdout when a command fails. */
export interface ErrorReport {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly issues?: readonly Issue[]
  }
}

/**
 * Tells the user why a command failed: one line (and one per faulty line of the input) on stderr, with `json` also the
 * `ErrorReport` on stdout. Never a stack trace. Answers the exit code.
 */
export function reportError(error: unknown, io: CommandIO, json: boolean): ExitCode {
  const known = describeError(error)
  if (json) {
    const report: ErrorReport = {
      error: {
        code: known.code,
        message: known.message,
        ...(known.issues.length > 0 ? { issues: known.issues } : {}),
      },
    }
    io.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  }
  const lines = known.issues.map((issue) => `  ${issueLine(issue)}\n`)
  io.stderr.write(`${known.prefix}: ${known.message}\n${lines.join('')}`)
  return known.exitCode
}

interface KnownError {
  readonly prefix: string
  readonly code: string
  readonly message: string
  readonly exitCode: ExitCode
  readonly issues: readonly Issue[]
}

/** The errors of the packages below are told apart by name, so that none of them is loaded for it. */
export function describeError(error: unknown): KnownError {
  const plain = { prefix: 'error', exitCode: ExitCode.failed, issues: [] }
  if (!(error instanceof Error)) return { ...plain, code: 'internal', message: String(error) }
  const { code, exitCode, issues } = error as { code?: unknown; exitCode?: ExitCode; issues?: readonly Issue[] }
  const coded = typeof code === 'string' ? code : 'internal'
  switch (error.name) {
    case 'CliError':
      return { ...plain, code: coded, message: error.message, exitCode: exitCode ?? 1, issues: issues ?? [] }
    case 'ApiError':
    case 'TrainerError': {
      const { prefix, causes } = fromServer(error)
      return { ...plain, prefix, code: coded, message: [error.message, ...causes].join('\n  ') }
    }
    case 'KubeError':
    case 'ConnectionError':
    case 'LocalError':
    case 'RenderError':
    case 'StoreError':
      return { ...plain, code: coded, message: error.message }
    default:
      return { ...plain, code: 'internal', message: systemMessage(error) }
  }
}

/** kubectl's `Error from server (NotFound)`, and one line per field that the server refused. */
function fromServer(error: Error): { prefix: string; causes: readonly string[] } {
  const status = statusOf(error)
  const reason = status?.reason
  const causes = (status?.details?.causes ?? [])
    .map(({ field, message }) => [field, message].filter((part) => part !== undefined && part !== '').join(': '))
    .filter((text) => text !== '' && !error.message.includes(text))
  return { prefix: reason === undefined || reason === '' ? 'error' : `Error from server (${reason})`, causes }
}

interface ServerStatus {
  readonly reason?: string
  readonly details?: { readonly causes?: readonly { field?: string; message?: string }[] }
}

function statusOf(error: Error): ServerStatus | undefined {
  const { status, cause } = error as { status?: ServerStatus; cause?: unknown }
  if (typeof status === 'object') return status
  return cause instanceof Error ? statusOf(cause) : undefined
}

/** Failures of the file system and the like speak for themselves. */
function systemMessage(error: Error): string {
  return 'syscall' in error ? error.message : `unexpected: ${error.message || error.name}`
}
