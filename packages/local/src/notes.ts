/** What a user should be told, once each, also when somebody starts to listen later. */
export interface Notes {
  add(note: string): void
  /** Calls the listener with the notes so far, then with each new one. */
  listen(listener: (note: string) => void): void
}

/** An empty collection of notes. */
export function createNotes(): Notes {
  const said = new Set<string>()
  const listeners: ((note: string) => void)[] = []
  return {
    add(note) {
      if (said.has(note)) return
      said.add(note)
      for (const listener of listeners) listener(note)
    },
    listen(listener) {
      for (const note of said) listener(note)
      listeners.push(listener)
    },
  }
}
