import type { TrainJobState } from '@trainjob/sdk'

/** What is known of a job that does not do what its author hoped. */
export interface HintFacts {
  readonly name: string
  readonly state: TrainJobState
  /** How the user calls us: `trainjob`, `kubectl trainjob`. */
  readonly program: string
  /** The flags that name the same cluster again: `--local`. */
  readonly flags?: string
  readonly steps?: readonly { readonly node: string; readonly reason?: string; readonly message?: string }[]
  /** Of the first node that failed. */
  readonly failure?: { readonly exitCode: number; readonly reason: string; readonly lastLines?: readonly string[] }
  /** Reason of the Failed condition. */
  readonly failedReason?: string
}

/** What the user might do next, most helpful first; empty when nothing is odd. */
export function hints(facts: HintFacts): readonly string[] {
  return [...failureHints(facts), ...waitingHints(facts), ...stateHints(facts)]
}

function failureHints({ failure, failedReason }: HintFacts): string[] {
  if (failedReason === 'DeadlineExceeded') {
    return ['the job reached spec.activeDeadlineSeconds; raise it or train for fewer steps']
  }
  if (failure === undefined) return []
  const text = (failure.lastLines ?? []).join('\n')
  const module = /ModuleNotFoundError: No module named '([^']+)'/.exec(text)?.[1]
  if (module !== undefined)
    return [`the Python module "${module}" is not installed where the command runs: pip install ${module}`]
  const package_ = /Cannot find (?:package|module) '([^']+)'/.exec(text)?.[1]
  if (package_ !== undefined)
    return [`Node does not find "${package_}"; install it in the workspace or correct the path`]
  if (/CUDA out of memory|OutOfMemoryError/.test(text)) return ['the GPU memory is full; a smaller batch would fit']
  if (/EADDRINUSE|[Aa]ddress already in use/.test(text)) {
    return ['a port is taken by another process; let the program use PET_MASTER_PORT, or a port that is free']
  }
  return exitCodeHints(failure)
}

function exitCodeHints({ exitCode, reason }: { exitCode: number; reason: string }): string[] {
  if (reason === 'OOMKilled') return ['it used more memory than its limit; raise resourcesPerNode.limits.memory']
  switch (exitCode) {
    case 126:
      return ['the command is not executable; chmod +x it, or start it with its interpreter']
    case 127:
      return ['the command was not found on PATH; install it, or correct trainer.command']
    case 134:
      return ['it aborted itself (SIGABRT), often a failed assertion in native code']
    case 137:
      return ['it was killed (SIGKILL), most often because the machine ran out of memory']
    case 139:
      return ['it crashed (SIGSEGV) in native code']
    case 143:
      return ['it was asked to stop (SIGTERM): look at the node that failed first']
    default:
      return []
  }
}

function waitingHints({ steps = [] }: HintFacts): string[] {
  const found = new Set<string>()
  for (const { reason, message } of steps) {
    if (reason === 'Unschedulable') {
      found.add(`nodes wait for a place: ${message ?? 'nothing fits'}; ask for less, or wait until other jobs end`)
    } else if (reason === 'ErrImagePull' || reason === 'ImagePullBackOff') {
      found.add('the image cannot be pulled; check its name and the pull secret')
    } else if (reason === 'CrashLoopBackOff') {
      found.add('a container fails again and again; look at what it said with logs --previous')
    } else if (reason === 'CreateContainerConfigError' || reason === 'CreateContainerError') {
      found.add(message ?? 'a container cannot be created; see the events')
    }
  }
  return [...found]
}

function stateHints({ state, name, program, flags, steps = [] }: HintFacts): string[] {
  const call = (command: string): string => [program, command, name, flags].filter(Boolean).join(' ')
  if (state === 'Suspended') return [call('resume')]
  if (state === 'Failed') return [call('logs')]
  if (state === 'Pending' && steps.length === 0) return [call('events')]
  return []
}
