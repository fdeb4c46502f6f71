const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365 * DAY

/**
 * A duration in the short form of kubectl: `59s`, `3m5s`, `42m`, `4h5m`, `30h`, `3d4h`, `200d`, `3y20d`. What lies more
 * than a second in the future is `<invalid>` (source: k8s.io/apimachinery, pkg/util/duration).
 */
export function durationText(ms: number): string {
  if (ms < -2 * SECOND) return '<invalid>'
  if (ms < 0) return '0s'
  if (ms < 2 * MINUTE) return `${Math.floor(ms / SECOND)}s`
  if (ms < 10 * MINUTE) return twoParts(ms, MINUTE, 'm', SECOND, 's')
  if (ms < 3 * HOUR) return `${Math.floor(ms / MINUTE)}m`
  if (ms < 8 * HOUR) return twoParts(ms, HOUR, 'h', MINUTE, 'm')
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)}h`
  if (ms < 8 * DAY) return twoParts(ms, DAY, 'd', HOUR, 'h')
  if (ms < 2 * YEAR) return `${Math.floor(ms / DAY)}d`
  if (ms < 8 * YEAR) return twoParts(ms, YEAR, 'y', DAY, 'd')
  return `${Math.floor(ms / YEAR)}y`
}

function twoParts(ms: number, unit: number, name: string, part: number, partName: string): string {
  const rest = Math.floor((ms % unit) / part)
  return `${Math.floor(ms / unit)}${name}${rest === 0 ? '' : `${rest}${partName}`}`
}

/** How long ago a time was; `<unknown>` without one, `<invalid>` for what is no time. */
export function ageText(time: unknown, now: number): string {
  if (time === undefined || time === null || time === '') return '<unknown>'
  const at = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return Number.isNaN(at) ? '<invalid>' : durationText(now - at)
}
