import type { Clock } from '@trainjob/kube'
import type { Store } from '../store/store.ts'
import type { Admission } from './admission.ts'
import type { StreamSource } from './exec/stream-source.ts'
import type { Ids } from './ids.ts'
import type { LogSource } from './log-source.ts'
import type { OpenApi } from './openapi/openapi.ts'
import type { Registry } from './registry.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

/** What serving a request stands on. */
export interface ServerContext {
  readonly store: Store
  readonly registry: Registry
  readonly admission: Admission
  readonly clock: Clock
  readonly ids: Ids
  readonly logs: LogSource
  /** Left out where no pods run. */
  readonly streams?: StreamSource | undefined
  readonly openApi: OpenApi
  readonly webhooks: Webhooks
}
