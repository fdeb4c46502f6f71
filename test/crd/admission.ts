import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startLines } from '../oracle/oracle.ts'

/** An object to create or, with an old one, to update. */
export interface AdmissionQuestion {
  readonly object: unknown
  readonly old?: unknown
}

/** What a server does with it. */
export interface AdmissionAnswer {
  /** What would be stored; nothing when the object cannot be read. */
  readonly object: Readonly<Record<string, unknown>> | null
  /** Paths of fields that the definition does not know. */
  readonly pruned: readonly string[] | null
  /** Why the object is refused. */
  readonly faults: readonly { readonly path: string; readonly type: string; readonly detail: string }[]
}

/** Custom resources as kube-apiserver admits them, by several sets of definitions at once. */
export interface Admission extends AsyncDisposable {
  /** One answer for each folder of definitions, in their order. */
  ask(question: AdmissionQuestion): Promise<readonly AdmissionAnswer[]>
}

/** Starts the program; disposing of it ends the process. */
export function startAdmission(binary: string, folders: readonly string[]): Admission {
  const lines = startLines(binary, ['serve', ...folders])
  return {
    ask: async (question) => JSON.parse(await lines.send(JSON.stringify(question))) as AdmissionAnswer[],
    [Symbol.asyncDispose]: () => lines[Symbol.asyncDispose](),
  }
}

/** What is wrong with each definition of a folder, by its name. */
export async function checkDefinitions(binary: string, folder: string): Promise<Record<string, readonly string[]>> {
  const { stdout } = await promisify(execFile)(binary, ['check', folder])
  return JSON.parse(stdout) as Record<string, readonly string[]>
}
