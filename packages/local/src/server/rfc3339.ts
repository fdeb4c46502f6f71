/** A time as Kubernetes objects carry it: UTC in whole seconds, `2026-12-01T09:30:00Z`. */
export function rfc3339(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
