export * from './error.ts'
export type * from './local-cluster.ts'
export type * from './server/log-source.ts'
