import { execFile } from 'node:child_process'
import { findExecutable } from '../process/find-executable.ts'

/** Ids of this machine's devices, as their vendor's variables name them, by resource name. */
export type Devices = Readonly<Record<string, readonly string[]>>

/** Resource names of the vendors' device plugins. */
export const NVIDIA_GPU = 'nvidia.com/gpu'
export const AMD_GPU = 'amd.com/gpu'

type Env = Readonly<Record<string, string | undefined>>

interface Tool {
  readonly resource: string
  readonly program: string
  readonly args: readonly string[]
  /** Ids in what the tool prints. */
  read(output: string): string[]
  /** A variable that keeps this engine itself to some of the devices. */
  readonly visible: string
}

const TOOLS: readonly Tool[] = [
  {
    resource: NVIDIA_GPU,
    program: 'nvidia-smi',
    args: ['--list-gpus'],
    read: (output) => [...output.matchAll(/^GPU (\d+):/gm)].map(([, id]) => id as string),
    visible: 'CUDA_VISIBLE_DEVICES',
  },
  {
    resource: AMD_GPU,
    program: 'rocm-smi',
    args: ['--showid', '--json'],
    read: (output) => [...output.matchAll(/"card(\d+)"\s*:/g)].map(([, id]) => id as string),
    visible: 'ROCR_VISIBLE_DEVICES',
  },
]

const TIMEOUT_MS = 5_000

/**
 * GPUs of this machine as the vendors' tools list them; empty where a tool is not installed, fails or does not answer
 * in time. Looking for a tool costs a few file look-ups, running it up to some seconds. An engine that was started with
 * `CUDA_VISIBLE_DEVICES` (or its kin) hands out those devices only.
 */
export async function detectDevices(env: Env, signal: AbortSignal): Promise<Devices> {
  const found = await Promise.all(
    TOOLS.map(async (tool): Promise<[string, string[]]> => [tool.resource, await idsOf(tool, env, signal)]),
  )
  return Object.fromEntries(found.filter(([, ids]) => ids.length > 0))
}

async function idsOf(tool: Tool, env: Env, signal: AbortSignal): Promise<string[]> {
  const place = findExecutable(tool.program, '/', env.PATH ?? '')
  if (place.kind !== 'found') return []
  const output = await new Promise<string>((resolve) => {
    const options = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', signal, env: { PATH: env.PATH ?? '' } } as const
    execFile(place.path, tool.args, options, (error, stdout) => resolve(error === null ? stdout : ''))
  })
  const ids = tool.read(output)
  const visible = env[tool.visible]
  if (visible === undefined || !/^\s*(\d+\s*(,\s*\d+\s*)*)?$/.test(visible)) return ids
  const allowed = new Set(visible.split(',').map((id) => id.trim()))
  return ids.filter((id) => allowed.has(id))
}
