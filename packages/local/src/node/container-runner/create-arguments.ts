import { CONTAINER_MARK, ENGINE_MARK } from '../process/marked-processes.ts'
import type { ContainerSpec } from '../runner.ts'

/** Label of our containers: whose they are. */
export const ENGINE_LABEL = 'trainjob.dev/engine'

/** The engine's program reads these itself: the container's go on the command line instead of through its environment. */
const OWN_VARIABLES =
  /^(PATH|HOME|USER|TMPDIR|HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy|(XDG|LD|DYLD|DOCKER|CONTAINER|CONTAINERS|STORAGE|REGISTRY|BUILDAH|GODEBUG|_CONTAINERS|PODMAN).*)$/

const PULL = { Always: 'always', IfNotPresent: 'missing', Never: 'never' } as const

export interface CreateOptions {
  readonly name: string
  readonly engineId: string
  /** Lets the container into folders that carry no label of a security module. */
  readonly labelDisabled: boolean
  /** Whether the container gets a terminal. */
  readonly terminal: boolean
}

/** Arguments of `create`, and variables that its environment must hold: values there are not seen by other users. */
export function createArguments(
  spec: ContainerSpec,
  { name, engineId, labelDisabled, terminal }: CreateOptions,
): { args: string[]; env: Record<string, string> } {
  const { image = { name: '', pull: 'IfNotPresent', replacesEntrypoint: false }, limits = {} } = spec
  const env: Record<string, string> = {}
  // On the machine's own network: addresses, names and ports of a job are those of its processes.
  const args = ['create', '--name', name, '--network', 'host', `--pull=${PULL[image.pull]}`]
  args.push('--label', `${ENGINE_LABEL}=${engineId}`)
  if (labelDisabled) args.push('--security-opt', 'label=disable')
  if (spec.stdin === true) args.push('--interactive')
  if (terminal) args.push('--tty')
  if (spec.cwd !== undefined) args.push('--workdir', spec.cwd)
  const { memoryBytes, cpus } = limits
  if (memoryBytes !== undefined) args.push('--memory', `${memoryBytes}b`, '--memory-swap', `${memoryBytes}b`)
  if (cpus !== undefined) args.push('--cpus', String(cpus))
  const marked = { ...spec.env, [ENGINE_MARK]: engineId, [CONTAINER_MARK]: spec.id }
  for (const [key, value] of Object.entries(marked)) {
    if (OWN_VARIABLES.test(key) || value === '') args.push('--env', `${key}=${value}`)
    else {
      env[key] = value
      args.push('--env', key)
    }
  }
  for (const { source, target, readOnly } of spec.mounts) {
    // not -v, for which a colon ends a path
    args.push('--mount', mountText(source, target, readOnly === true))
  }
  const [program, ...rest] = spec.argv
  if (image.replacesEntrypoint && program !== undefined) args.push('--entrypoint', program, image.name, ...rest)
  else args.push(image.name, ...spec.argv)
  return { args, env }
}

/** Fields of CSV, as the engines read them. */
function mountText(source: string, target: string, readOnly: boolean): string {
  const fields = ['type=bind', `source=${source}`, `target=${target}`, ...(readOnly ? ['readonly'] : [])]
  return fields.map((field) => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')
}
