/**
 * The little of a terminal that makes an interactive shell usable over pipes: what the user types is shown and sent line
 * by line, and line ends of the output lead back to the left margin. Ctrl-C ends the command, Ctrl-D the input.
 */
export interface LineDiscipline {
  /** Reads what the user has typed. */
  type(keys: Uint8Array): void
  /** What the command printed, for a terminal in raw mode. */
  show(output: Uint8Array): Uint8Array
}

export interface LineDisciplineEnds {
  /** A whole line, or what stands in it when the input ends. */
  readonly onLine: (line: Uint8Array) => void
  readonly onEcho: (text: Uint8Array) => void
  readonly onInterrupt: () => void
  readonly onEnd: () => void
}

const CTRL_C = 0x03
const CTRL_D = 0x04
const BACKSPACE = 0x08
const LINE_FEED = 0x0a
const RETURN = 0x0d
const DELETE = 0x7f

export function createLineDiscipline({ onLine, onEcho, onInterrupt, onEnd }: LineDisciplineEnds): LineDiscipline {
  let line: number[] = []

  function erase(): void {
    if (line.length === 0) return
    // a sign of several bytes is one place on the screen
    while (line.length > 1 && ((line.at(-1) as number) & 0xc0) === 0x80) line.pop()
    line.pop()
    onEcho(Buffer.from('\b \b'))
  }

  return {
    type(keys) {
      for (const key of keys) {
        if (key === RETURN || key === LINE_FEED) {
          onEcho(Buffer.from('\r\n'))
          onLine(Uint8Array.from([...line, LINE_FEED]))
          line = []
        } else if (key === BACKSPACE || key === DELETE) erase()
        else if (key === CTRL_C) {
          onEcho(Buffer.from('^C\r\n'))
          onInterrupt()
        } else if (key === CTRL_D) {
          if (line.length === 0) onEnd()
          else onLine(Uint8Array.from(line))
          line = []
        } else {
          line.push(key)
          onEcho(Uint8Array.of(key))
        }
      }
    },
    show(output) {
      return Buffer.from(Buffer.from(output).toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
    },
  }
}
