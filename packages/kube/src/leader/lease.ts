import type { KubeObject } from '../object.ts'
import type { Resource } from '../resource.ts'

/** `coordination.k8s.io/v1` Lease, as far as an election needs it. Times have exactly six fractional digits. */
export interface Lease extends KubeObject {
  spec?: {
    /** Empty: released. */
    holderIdentity?: string
    leaseDurationSeconds?: number
    acquireTime?: string
    renewTime?: string
    /** How often the holder has changed. */
    leaseTransitions?: number
  }
}

/** Where leases are served. */
export const Leases: Resource<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
}

/**
 * Milliseconds since the epoch as RFC 3339 with exactly six fractional digits, which the API server insists on (`metav1.MicroTime`).
 *
 * @example
 * microTime(Date.UTC(2026, 0, 31, 12)) // => '2026-01-31T12:00:00.000000Z'
 */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}
