import type { LogOptions } from '@trainjob/kube'
import type { LogsOptions } from '../log-line.ts'

/** What `tail` and `since` mean to the API. */
export function firstRead({ tail, since }: LogsOptions): LogOptions {
  return {
    ...(tail !== undefined && { tailLines: tail }),
    ...(typeof since === 'number' && { sinceSeconds: Math.max(1, Math.ceil(since)) }),
    ...(since instanceof Date && { sinceTime: since.toISOString() }),
  }
}
