const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365 * DAY

/**
 * A span of milliseconds as kubectl prints ages: two units where the smaller one still says something, one otherwise
 * (`95s`, `3m20s`, `12m`, `5h10m`, `20h`, `3d4h`, `45d`). Follows k8s.io/apimachinery pkg/util/duration.
 */
export function humanDuration(ms: number): string {
  if (ms < -SECOND) return '<invalid>'
  if (ms < 2 * MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))}s`
  if (ms < 10 * MINUTE) return two(ms, MINUTE, 'm', SECOND, 's')
  if (ms < 3 * HOUR) return `${Math.floor(ms / MINUTE)}m`
  if (ms < 8 * HOUR) return two(ms, HOUR, 'h', MINUTE, 'm')
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)}h`
  if (ms < 8 * DAY) return two(ms, DAY, 'd', HOUR, 'h')
  if (ms < 2 * YEAR) return `${Math.floor(ms / DAY)}d`
  if (ms < 8 * YEAR) return two(ms, YEAR, 'y', DAY, 'd')
  return `${Math.floor(ms / YEAR)}y`
}

/** How long ago an RFC 3339 time was; `<unknown>` without one. */
export function age(time: string | undefined, now: number): string {
  return time === undefined ? '<unknown>' : humanDuration(now - Date.parse(time))
}

function two(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small)
  return `${Math.floor(ms / large)}${largeName}${rest === 0 ? '' : `${rest}${smallName}`}`
}
