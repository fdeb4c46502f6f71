import { TRAINER_API_VERSION, type TrainJob } from '@trainjob/api'
import { CliError } from '../../cli-error.ts'

/** What `run -- COMMAND` and `run --runtime NAME` say. */
export interface CommandJobOptions {
  /** Left out where the runtime has one. */
  readonly command?: readonly string[]
  readonly runtime: string
  readonly namespace: string
  readonly nodes?: number
  /** Default: from the command, else from the runtime, made unique by `suffix`. */
  readonly name?: string
  readonly suffix: string
  /** `NAME=value`. */
  readonly env: readonly string[]
}

/** The TrainJob for a command line. Throws `CliError` `usage`. */
export function commandJob({ command, runtime, namespace, nodes, name, suffix, env }: CommandJobOptions): TrainJob {
  const variables = parseEnv(env)
  return {
    apiVersion: TRAINER_API_VERSION,
    kind: 'TrainJob',
    metadata: { name: name ?? `${nameFromCommand(command ?? [runtime])}-${suffix}`, namespace },
    spec: {
      runtimeRef: { name: runtime },
      trainer: {
        ...(command === undefined ? {} : { command: command.map(literally) }),
        ...(nodes === undefined ? {} : { numNodes: nodes }),
        ...(variables.length === 0 ? {} : { env: variables }),
      },
    },
  }
}

/** Kubernetes would read `$(NAME)` and `$$` in a command; here the shell has read them already. */
function literally(word: string): string {
  return word.replace(/\$(?=[$(])/g, '$$$$')
}

/** Reads `NAME=value` words. Throws `CliError` `usage`. */
function parseEnv(words: readonly string[]): { name: string; value: string }[] {
  return words.map((word) => {
    const equals = word.indexOf('=')
    if (equals <= 0) throw new CliError('usage', `--env wants NAME=value; found "${word}".`)
    return { name: word.slice(0, equals), value: literally(word.slice(equals + 1)) }
  })
}

/** `python train.py` is `train`, `./bin/fit.sh` is `fit`, `node -e …` is `node`: a name of at most 20 characters. */
export function nameFromCommand(command: readonly string[]): string {
  const script = command.slice(1).find((word) => /^[\w./-]*\w+\.(py|js|mjs|cjs|ts|mts|sh|rb|pl|R|jl)$/.test(word))
  const word = (script ?? command[0] ?? '').split('/').at(-1) ?? ''
  const name = word
    .replace(/\.\w+$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 20)
    .replace(/^[-0-9]+|-+$/g, '')
  return name === '' ? 'job' : name
}
