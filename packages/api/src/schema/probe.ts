import { z } from 'zod'
import type { Probe } from '../kubernetes/pod.ts'
import { intOrString } from './quantity.ts'

const int = z.int32().exactOptional()
const text = z.string().exactOptional()

function actions() {
  return {
    exec: z.strictObject({ command: z.array(z.string()).exactOptional() }).exactOptional(),
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
    grpc: z.strictObject({ port: z.int32(), service: text }).exactOptional(),
    failureThreshold: int,
    initialDelaySeconds: int,
    periodSeconds: int,
    successThreshold: int,
    terminationGracePeriodSeconds: z.int().exactOptional(),
    timeoutSeconds: int,
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
