import { createInputQueue } from '../../server/exec/input-queue.ts'
import type { ContainerExit, ExecSpec } from '../runner.ts'
import { createLineDiscipline } from './line-discipline.ts'

/** As a shell reports Ctrl-C. */
const INTERRUPTED = 130
const NOTICE =
  'no terminal can be made on this machine (install python3): lines are sent whole, and programs that paint the screen do not work\r\n'

/** Serves a user's terminal by a command that has only pipes. @param run the command; its spec asks for no terminal */
export async function withLines<T extends ContainerExit | undefined>(
  { terminal: _, ...spec }: ExecSpec,
  run: (plain: ExecSpec) => Promise<T>,
): Promise<T | ContainerExit> {
  const interrupt = new AbortController()
  // who types faster than a command reads is held up by nobody: a person
  const input = createInputQueue(() => {})
  const show = (text: Uint8Array): void | Promise<void> => spec.onOutput('stdout', Buffer.from(text))
  const lines = createLineDiscipline({
    onLine: input.push,
    onEcho: (text) => void show(text),
    onInterrupt: () => interrupt.abort(),
    onEnd: input.end,
  })
  const { stdin } = spec
  if (stdin !== undefined) {
    await show(Buffer.from(NOTICE))
    void (async () => {
      for await (const keys of stdin) lines.type(keys)
      input.end()
    })()
  }
  const exit = await run({
    ...spec,
    stdin: stdin === undefined ? undefined : input,
    onOutput: (_, chunk) => show(lines.show(chunk)),
    signal: AbortSignal.any([spec.signal, interrupt.signal]),
  })
  return interrupt.signal.aborted ? { code: INTERRUPTED } : exit
}
