/** A time as Kubernetes objects carry it: UTC in whole seconds, `2026-12-01T09:30:00Z`. */
export function rfc3339(ms: number): string {
  const second = Math.floor(ms / 1000)
  if (second !== last.second) last = { second, text: `${new Date(ms).toISOString().slice(0, 19)}Z` }
  return last.text
}

/** A write asks for its time more than once, and a second sees thousands of writes. */
let last = { second: Number.NaN, text: '' }
