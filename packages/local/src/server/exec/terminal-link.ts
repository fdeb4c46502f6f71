/** What the user is shown: two streams and, at the end, how it went. */
export type ShownStream = 'stdout' | 'stderr' | 'status'

/** Size of a terminal in characters. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** What comes from a user who looks at a command or container. */
export interface TerminalInput {
  onInput(chunk: Uint8Array): void
  /** No more input will come. */
  onInputEnd(): void
  onResize(size: TerminalSize): void
}

/** A user's connection to a command or container, whatever protocol it speaks. */
export interface TerminalLink {
  /** While a promise is pending, the user cannot take more. What is sent after the end is dropped. */
  send(stream: ShownStream, chunk: Uint8Array): void | Promise<void>
  /** Tells what comes, from now on. */
  listen(input: TerminalInput): void
  /** No more input is read while it is true. */
  hold(held: boolean): void
  /** When the user has gone, or `close` was called. */
  readonly closed: Promise<void>
  /** What was sent still arrives. */
  close(): void
}

/** Reads `{"Width":80,"Height":24}`, as Kubernetes' clients tell the size; undefined for anything else. */
export function terminalSize(text: string): TerminalSize | undefined {
  try {
    const { Width, Height } = JSON.parse(text) as { Width?: unknown; Height?: unknown }
    return isLength(Width) && isLength(Height) ? { columns: Width, rows: Height } : undefined
  } catch {
    return undefined
  }
}

/** The system keeps it in two bytes. */
function isLength(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= 65_535
}
