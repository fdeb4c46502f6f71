export type * from './admission/hook.ts'
export * from './admission/runtime.ts'
export * from './admission/trainjob.ts'
export * from './controller-error.ts'
export * from './doctor/check-cluster.ts'
export * from './training-runtime/controller.ts'
export * from './trainjob/controller.ts'
export { nodeKeys } from './trainjob/node-keys.ts'
export {
  type WebhookConfiguration,
  type WebhookTarget,
  webhookConfigurations,
} from './webhook/webhook-configurations.ts'
export { serveWebhooks, type WebhookServer, type WebhookServerOptions } from './webhook/webhook-server.ts'
