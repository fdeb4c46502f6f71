export * from './parse-manifests.ts'
export type { Positions } from './positions.ts'
