import { statSync } from 'node:fs'
import { mapPath } from '../mounts/path-map.ts'
import type { ContainerExit, ContainerSpec, Mount } from '../runner.ts'
import { findExecutable } from './find-executable.ts'

/** As a shell reports them. */
const NOT_EXECUTABLE = 126
const NOT_FOUND = 127

/** What is started where. */
type Program = Pick<ContainerSpec, 'argv' | 'cwd' | 'env'>

/** Why a process could not be started, and what to do about it. `error` is what the system said. */
export function startFailure(spec: Program, error: NodeJS.ErrnoException): ContainerExit {
  const missing = missingProgram(spec, [])
  if (missing !== undefined) return missing
  const program = spec.argv[0] ?? ''
  if (error.code === 'ENOENT') {
    return {
      code: NOT_FOUND,
      startFailure: `${program}: the interpreter named in its first line does not exist on this machine`,
    }
  }
  if (error.code === 'ENOEXEC') {
    return {
      code: NOT_EXECUTABLE,
      startFailure: `${program} has no format that this machine can run; a script needs a first line like #!/bin/sh`,
    }
  }
  return { code: NOT_EXECUTABLE, startFailure: `${program} could not be started: ${error.message}` }
}

/**
 * What is wrong with the program or the working directory before anything is tried; nothing when they are there. Both
 * may be inside of `mounts`.
 */
export function missingProgram(spec: Program, mounts: readonly Mount[]): ContainerExit | undefined {
  const program = mapPath(spec.argv[0] ?? '', mounts)
  const cwd = mapPath(spec.cwd ?? '/', mounts)
  if (!isFolder(cwd)) {
    return {
      code: NOT_FOUND,
      startFailure: `working directory ${spec.cwd} does not exist on this machine; create it, or set workingDir to a folder below /workspace`,
    }
  }
  const executable = findExecutable(program, cwd, spec.env.PATH ?? '')
  if (executable.kind === 'not-executable') {
    return {
      code: NOT_EXECUTABLE,
      startFailure: `${executable.path} is not an executable file; make it one with: chmod +x ${executable.path}`,
    }
  }
  if (executable.kind === 'missing') {
    const message = program.includes('/')
      ? `${program} does not exist on this machine; commands run with the tools found here, the image is not used`
      : `${program}: not found on PATH; install it on this machine or name it by its path (commands run with the tools found here, the image is not used)`
    return { code: NOT_FOUND, startFailure: message }
  }
  return undefined
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
