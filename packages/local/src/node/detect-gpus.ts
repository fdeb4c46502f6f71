import { execFile } from 'node:child_process'
import { findExecutable } from './process/find-executable.ts'

/** Resource name of NVIDIA's device plugin. */
const NVIDIA_GPU = 'nvidia.com/gpu'

const TIMEOUT_MS = 5_000

/**
 * GPUs of this machine by resource name, as the vendor's tool lists them; empty when the tool is not installed, fails
 * or does not answer in time. Looking for the tool costs a few file look-ups, running it up to some seconds.
 */
export async function detectGpus(
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const tool = findExecutable('nvidia-smi', '/', env.PATH ?? '')
  if (tool.kind !== 'found') return {}
  const output = await new Promise<string>((resolve) => {
    const options = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', signal, env: { PATH: env.PATH ?? '' } } as const
    execFile(tool.path, ['--list-gpus'], options, (error, stdout) => resolve(error === null ? stdout : ''))
  })
  const count = output.split('\n').filter((line) => /^GPU \d+:/.test(line)).length
  return count === 0 ? {} : { [NVIDIA_GPU]: count }
}
