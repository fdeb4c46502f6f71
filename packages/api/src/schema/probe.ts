import { z } from 'zod'
import type { Probe } from '../kubernetes/pod.ts'
import { intOrString } from './quantity.ts'
import { withServerRules } from './server-rules.ts'
import { int, int32, text, texts } from './simple-fields.ts'

function actions() {
  return {
    exec: z.strictObject({ command: texts }).exactOptional(),
    httpGet: z
      .strictObject({
        host: text,
        httpHeaders: z.array(z.strictObject({ name: z.string(), value: z.string() })).exactOptional(),
        path: text,
        port: intOrString,
        scheme: text,
      })
      .exactOptional(),
    tcpSocket: z.strictObject({ host: text, port: intOrString }).exactOptional(),
  }
}

export const probe: z.ZodType<Probe> = z.lazy(() =>
  z.strictObject({
    ...actions(),
    grpc: withServerRules(z.strictObject({ port: z.int32(), service: text }), {
      defaults: { service: '' },
    }).exactOptional(),
    failureThreshold: int32,
    initialDelaySeconds: int32,
    periodSeconds: int32,
    successThreshold: int32,
    terminationGracePeriodSeconds: int,
    timeoutSeconds: int32,
  }),
)

/** What happens right after a container started and before it is stopped. */
export const lifecycle: z.ZodType<Record<string, unknown>> = z.lazy(() => {
  const handler = z.strictObject({ ...actions(), sleep: z.strictObject({ seconds: z.int() }).exactOptional() })
  return z.strictObject({
    postStart: handler.exactOptional(),
    preStop: handler.exactOptional(),
    stopSignal: text,
  })
})
