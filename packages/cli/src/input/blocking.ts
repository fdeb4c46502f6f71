import type { Issue } from '@trainjob/api'
import { CliError } from '../cli-error.ts'
import type { Manifests } from './manifests.ts'

/** Codes of warnings about things that may well be meant; all other warnings are about what cannot work. */
const ADVICE: ReadonlySet<string> = new Set([
  'deprecated-runtime',
  'gang-never-fits',
  'gpu-count-patched',
  'no-effect',
  'nodes-out-of-bounds',
  'patch-conflict',
  'rank-left-to-torchrun',
  'translated',
  'unknown-field',
])

/** The warnings that `run` and `apply` refuse unless they are told `--force`. */
function blocking(warnings: readonly Issue[]): readonly Issue[] {
  return warnings.filter(({ code }) => !ADVICE.has(code))
}

/**
 * Throws `CliError` `input` with everything that keeps the manifests from being used, `more` included. Answers the
 * warnings that are left to be shown.
 */
export function refuseFaulty(
  { errors, warnings }: Pick<Manifests, 'errors' | 'warnings'>,
  { force, more = [] }: { force: boolean; more?: readonly Issue[] },
): readonly Issue[] {
  const blockers = force ? [] : blocking(warnings)
  const issues = [...errors, ...more, ...blockers]
  if (issues.length === 0) return warnings
  const forced = errors.length + more.length === 0 ? '; --force does it all the same' : ''
  const count = issues.length === 1 ? 'one fault' : `${issues.length} faults`
  throw new CliError('input', `${count} in the input, nothing was started${forced}:`, { issues })
}
