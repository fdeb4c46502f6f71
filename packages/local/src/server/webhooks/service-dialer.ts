import { once } from 'node:events'
import { connect } from 'node:net'
import type { Pod, Service } from '@trainjob/api'
import type { Store } from '../../store/store.ts'
import type { StreamSource } from '../exec/stream-source.ts'
import { matchesLabels } from '../selectors/label-selector.ts'
import { CallFault, type ServiceDialer } from './call-webhook.ts'

interface ServiceSpec {
  readonly type?: string
  readonly externalName?: string
  readonly selector?: Readonly<Record<string, string>>
  readonly ports?: readonly { readonly port: number; readonly targetPort?: number | string }[]
}

/** Finds a pod that is ready behind a service, or the host that an `ExternalName` names, and connects to its port. */
export function serviceDialer(store: Store, streams: StreamSource | undefined): ServiceDialer {
  return async ({ namespace, name, port }, signal) => {
    const service = store.get('services', `${namespace}/${name}`) as Service | undefined
    if (service === undefined) throw new CallFault(`service ${JSON.stringify(name)} not found`)
    const spec = (service.spec ?? {}) as ServiceSpec
    if (spec.type === 'ExternalName') return dialHost(spec.externalName ?? '', port, signal)
    const found = spec.ports?.find((one) => one.port === port)
    if (found === undefined) throw new CallFault(`no service port ${port} found for service ${JSON.stringify(name)}`)
    const pods = spec.selector === undefined ? [] : store.list('pods', { prefix: `${namespace}/` }).items
    const pod = pods.find((one) => isReady(one as Pod) && selects(spec.selector, one as Pod)) as Pod | undefined
    if (pod === undefined || streams === undefined) {
      throw new CallFault(`no endpoints available for service ${JSON.stringify(name)}`)
    }
    return streams.connect(pod, portOf(pod, found.targetPort ?? port), signal)
  }
}

async function dialHost(host: string, port: number, signal: AbortSignal): ReturnType<ServiceDialer> {
  const socket = connect({ host, port, signal })
  await once(socket, 'connect')
  return socket
}

function selects(matchLabels: ServiceSpec['selector'] = {}, { metadata }: Pod): boolean {
  return matchesLabels({ matchLabels }, metadata.labels)
}

function isReady({ metadata, status }: Pod): boolean {
  const ready = status?.conditions?.some(({ type, status: state }) => type === 'Ready' && state === 'True')
  return ready === true && metadata.deletionTimestamp === undefined
}

/** A port may be called by the name that a container gives it. */
function portOf({ spec }: Pod, port: number | string): number {
  if (typeof port === 'number') return port
  for (const { ports = [] } of spec.containers) {
    const named = ports.find(({ name }) => name === port)
    if (named !== undefined) return named.containerPort
  }
  throw new CallFault(`no container has a port that is called ${JSON.stringify(port)}`)
}
