import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { AnyTrainingRuntime, KubernetesObject, TrainJob, TrainJobStatus } from '@trainjob/api'
import type { BuiltOracle } from './build.ts'

/** A TrainJob and everything of the cluster that matters to it. */
export interface Question {
  readonly runtimes: readonly AnyTrainingRuntime[]
  readonly objects?: readonly KubernetesObject[]
  /** CA certificate of the server that hears of progress; without one there is none. */
  readonly statusServer?: string
  readonly trainJob: TrainJob
  readonly oldTrainJob?: TrainJob
  /** What the runtimes were before an update that the webhooks are asked about too. */
  readonly oldRuntimes?: readonly (AnyTrainingRuntime | null)[]
  /** Asks for one pass of the controller instead of rendering. */
  readonly reconcile?: boolean
  /** Requests of that pass that the API server answers with 500, as `verb kind`. */
  readonly failing?: readonly string[]
  /** Asks which jobs the controller looks at when that happens: `old` became `object`; one of them may be missing. */
  readonly event?: { readonly object?: KubernetesObject; readonly old?: KubernetesObject }
  /** The cluster does not know the kinds of JobSet and of the schedulers. */
  readonly withoutCRDs?: boolean
}

/** What upstream makes of it. Absent lists are empty. */
export interface Answer {
  /** As the API server would store them. */
  readonly runtimes?: readonly AnyTrainingRuntime[]
  /** As the API server would store it. */
  readonly trainJob?: TrainJob
  /** What the API server objects to, by the CRDs. */
  readonly schemaErrors?: readonly string[]
  readonly runtimeErrors?: readonly Fault[]
  readonly jobErrors?: readonly Fault[]
  /** Whether the webhooks let the job and its runtimes in. */
  readonly allowed?: boolean
  /** The same for each webhook and operation, as `validate CREATE TrainJob`. */
  readonly reviews?: Readonly<Record<string, boolean>>
  /** The TrainJob as the mutating webhook left it. */
  readonly defaulted?: TrainJob
  /** What a pass of the controller did. */
  readonly pass?: Pass
  /** The jobs that the controller looks at, as `namespace/name`. */
  readonly requests?: readonly string[]
  readonly warnings?: readonly string[]
  readonly objects?: readonly KubernetesObject[]
  /** The pods that other controllers count, Kueue among them. */
  readonly podSets?: readonly { readonly name: string; readonly ancestor?: string; readonly count: number }[]
  /** The TrainJob after it went through upstream's Go types, as when another controller writes it back. */
  readonly rewritten?: TrainJob
  /** Why there are no objects. */
  readonly error?: string
}

/** What one pass of upstream's controller did to a TrainJob. Absent lists are empty. */
export interface Pass {
  /** Afterwards. */
  readonly status: TrainJobStatus
  readonly applied?: readonly KubernetesObject[]
  /** As `kind name`. */
  readonly deleted?: readonly string[]
  /** Reasons of what it told the user. */
  readonly events?: readonly string[]
  /** Why it wants to try again. */
  readonly error?: string
  /** It wants to look again at a time of its own choice. */
  readonly later?: boolean
}

export interface Fault {
  readonly path: string
  readonly detail: string
}

/** Upstream's code in a process of its own. */
export interface Oracle extends AsyncDisposable {
  ask(question: Question): Promise<Answer>
}

/** Starts the oracle; disposing of it ends the process. */
export function startOracle({ binary, crds }: BuiltOracle): Oracle {
  // most of what it holds are schemas, which the collector need not look at so often
  const lines = startLines(binary, ['serve', '-crds', crds], { GOGC: '400' })
  return {
    ask: async (question) => JSON.parse(await lines.send(JSON.stringify(question))) as Answer,
    [Symbol.asyncDispose]: () => lines[Symbol.asyncDispose](),
  }
}

/** A process that answers each line with a line. */
export interface LineProcess extends AsyncDisposable {
  send(line: string): Promise<string>
}

/** Starts a program of that kind. */
export function startLines(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): LineProcess {
  const child = spawn(command, args, { stdio: 'pipe', env: { ...process.env, ...env } })
  const waiting: { resolve(line: string): void; reject(error: Error): void }[] = []
  const stderr: string[] = []
  let ended: Error | undefined
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(line))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk.toString()))
  child.stdin.on('error', () => {}) // told by 'close'
  const end = (error: Error): void => {
    ended ??= error
    for (const { reject } of waiting.splice(0)) reject(ended)
  }
  child.on('error', end)
  child.on('close', (code) => end(new Error(`${command} ended with code ${code}: ${stderr.join('')}`)))
  return {
    send: (line) =>
      new Promise((resolve, reject) => {
        if (ended) {
          reject(ended)
          return
        }
        waiting.push({ resolve, reject })
        child.stdin.write(`${line}\n`)
      }),
    [Symbol.asyncDispose]: () => endProcess(child),
  }
}

async function endProcess(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const closed = once(child, 'close')
  child.stdin.end() // a program that measures itself writes down what it found
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await closed
  clearTimeout(timer)
}

/** The output of the oracle with these arguments. */
export async function runOracle(binary: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(binary, args, { maxBuffer: 16 << 20 })
  return stdout
}
