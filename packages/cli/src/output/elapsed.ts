/** Milliseconds as a person says them: `0.8 s`, `41 s`, `3 min 20 s`, `2 h 5 min`. */
export function elapsed(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 120) return `${minutes} min${seconds % 60 === 0 ? '' : ` ${seconds % 60} s`}`
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`
}
