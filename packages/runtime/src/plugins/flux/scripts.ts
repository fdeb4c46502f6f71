import { NODE_NAME } from '@trainjob/api'
import type { Info } from '../../info.ts'
import { upstreamResources } from '../../node-resources.ts'
import { gpusOf } from '../../resources.ts'
import { FLUX_ENTRYPOINT, FLUX_INIT } from '../../templates/compiled.generated.ts'
import { template } from '../../templates/template.ts'
import { VIEW_ROOT } from './constants.ts'
import { brokerSettings, fluxBounds, fluxSize } from './settings.ts'

const fillInit = template<{
  readonly viewRoot: string
  readonly leadHost: string
  readonly hosts: string
  readonly networkDevice: string
  readonly domain: string
  readonly queuePolicy: string
}>(FLUX_INIT)

/** The script that the init container runs. */
export function initScript(info: Info): string {
  const job = info.trainJob.metadata.name ?? ''
  const { FLUX_NETWORK_DEVICE, FLUX_QUEUE_POLICY } = brokerSettings(info)
  const subdomain = info.deviates('master-address-of-the-trainer-job') ? info.template.network?.subdomain : undefined
  return fillInit({
    viewRoot: VIEW_ROOT,
    leadHost: leadHost(job),
    // brokers that may come later have a place from the start
    hosts: `${job}-${NODE_NAME}-0-[${range(fluxBounds(info)?.max ?? fluxSize(info).nodes)}]`,
    networkDevice: FLUX_NETWORK_DEVICE,
    domain: `${subdomain ?? job}.${info.namespace}.svc.cluster.local`,
    queuePolicy: FLUX_QUEUE_POLICY,
  })
}

const fillEntrypoint = template<{
  readonly leadHost: string
  readonly resources: string
  readonly flags: string
  /** Brokers with which the cluster begins; all of them when left out. */
  readonly quorum?: number | undefined
  readonly keepsStatus: boolean
}>(FLUX_ENTRYPOINT)

/** The script that takes the place of the training command. */
export function entrypointScript(info: Info): string {
  const { nodes, processes } = fluxSize(info)
  const gpus = gpusOf(upstreamResources(info))
  return fillEntrypoint({
    leadHost: leadHost(info.trainJob.metadata.name ?? ''),
    resources: `--cores=${range(processes)}${gpus > 0 ? ` --gpu=${range(gpus)}` : ''}`,
    flags: `-N ${nodes} -n ${processes * nodes}${gpus > 0 ? ` -g ${gpus}` : ''}`,
    quorum: fluxBounds(info)?.min,
    keepsStatus: info.deviates('flux-exit-code'),
  })
}

function leadHost(job: string): string {
  return `${job}-${NODE_NAME}-0-0`
}

/** `0` or `0-3`. */
function range(size: number): string {
  return size === 1 ? '0' : `0-${size - 1}`
}
