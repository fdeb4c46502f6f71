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
function describeError(error: unknown): KnownError {
  const plain = { prefix: 'error', exitCode: ExitCode.failed, issues: [] }
  if (!(error instanceof Error)) return { ...plain, code: 'internal', message: String(error) }
  const { code, exitCode, issues } = error as { code?: unknown; exitCode?: ExitCode; issues?: readonly Issue[] }
  const coded = typeof code === 'string' ? code : 'internal'
  switch (error.name) {
    case 'CliError':
      return { ...plain, code: coded, message: error.message, exitCode: exitCode ?? 1, issues: issues ?? [] }
    case 'ApiError':
    case 'TrainerError': {
      const server = serverErrorOf(error)
      if (server === undefined) return { ...plain, code: coded, message: error.message }
      const { reason = '', details } = server.status
      const causes = (details?.causes ?? []).map(causeLine).filter((text) => !server.message.includes(text))
      return {
        ...plain,
        prefix: reason === '' ? 'error' : `Error from server (${reason})`,
        code: reason === '' ? coded : kebabCase(reason),
        message: [server.message, ...causes].join('\n  '),
      }
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

/** An error that keeps what the server said. */
interface ServerError extends Error {
  readonly status: {
    readonly reason?: string
    readonly details?: { readonly causes?: readonly { field?: string; message?: string }[] }
  }
}

/** The server's own words, when they are at the bottom of it. */
function serverErrorOf(error: Error): ServerError | undefined {
  if (typeof (error as Partial<ServerError>).status === 'object') return error as ServerError
  return error.cause instanceof Error ? serverErrorOf(error.cause) : undefined
}

/** One field that the server refused. */
function causeLine({ field, message }: { field?: string; message?: string }): string {
  return [field, message].filter((part) => part !== undefined && part !== '').join(': ')
}

function kebabCase(reason: string): string {
  return reason.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()
}

/** Failures of the file system and the like speak for themselves. */
function systemMessage(error: Error): string {
  return 'syscall' in error ? error.message : `unexpected: ${error.message || error.name}`
}
