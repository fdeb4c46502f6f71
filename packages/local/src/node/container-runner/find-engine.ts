import { LocalError } from '../../error.ts'
import { findExecutable } from '../process/find-executable.ts'
import type { ContainerEngine } from './container-engine.ts'
import { createContainerRunner } from './container-runner.ts'
import { createEngineCli } from './engine-cli.ts'

/**
 * The container engine of that name, if it works here: asks it once. Throws `LocalError` `start-failed` with what to do
 * when it is not installed or does not answer.
 */
export async function findEngine(
  name: 'podman' | 'docker',
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ContainerEngine> {
  const found = findExecutable(name, '/', env.PATH ?? '')
  if (found.kind !== 'found') {
    throw new LocalError(
      'start-failed',
      `${name} is not on PATH: install it, or run containers as processes (runner "process").`,
    )
  }
  const cli = createEngineCli(found.path, env)
  const { code, stderr } = await cli.run(['ps', '--quiet', '--last', '1'])
  if (code !== 0) {
    throw new LocalError('start-failed', `${name} does not work here: ${stderr.trim() || `it ends with ${code}`}`)
  }
  return {
    name,
    createRunner: (surroundings) => createContainerRunner({ ...surroundings, cli, labelDisabled: name === 'podman' }),
  }
}
