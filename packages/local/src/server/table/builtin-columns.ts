import type { ConfigMap, Event, Namespace, Node, Secret, Service } from '@trainjob/api'
import type { KubeObject } from '@trainjob/kube'
import type { PriorityClass } from '../../scheduler/priority-class.ts'
import { type Column, column, NAME, WIDE } from './column.ts'
import { ageText } from './duration-text.ts'
import { JOB_COLUMNS } from './job-columns.ts'
import { POD_COLUMNS } from './pod-columns.ts'

const NONE = '<none>'

const AGE: Column = column('Age', ({ metadata }, now) => ageText(metadata.creationTimestamp, now))

/** What kubectl shows of built-in kinds, by kind (source: pkg/printers/internalversion/printers.go). */
const BY_KIND: Readonly<Record<string, readonly Column[]>> = {
  Pod: POD_COLUMNS,
  Job: JOB_COLUMNS,
  Service: [
    NAME,
    column('Type', (object) => specOf(object).type ?? 'ClusterIP'),
    column('Cluster-IP', (object) => specOf(object).clusterIP || NONE),
    column('External-IP', (object) => specOf(object).externalIPs?.join(',') || NONE),
    column('Port(s)', (object) => specOf(object).ports?.map(portText).join(',') || NONE),
    AGE,
    column('Selector', (object) => labelsText((object as Service).spec?.selector), WIDE),
  ],
  ConfigMap: [
    NAME,
    column('Data', (object) => sizeOf((object as ConfigMap).data) + sizeOf((object as ConfigMap).binaryData)),
    AGE,
  ],
  Secret: [
    NAME,
    column('Type', (object) => (object as Secret).type ?? ''),
    column('Data', (object) => sizeOf((object as Secret).data)),
    AGE,
  ],
  Event: [
    column('Last Seen', (object, now) => lastSeen(object as Event, now)),
    column('Type', (object) => (object as Event).type ?? ''),
    column('Reason', (object) => (object as Event).reason ?? ''),
    column('Object', (object) => involved(object as Event)),
    column('Subobject', (object) => involvedOf(object as Event).fieldPath ?? '', WIDE),
    column('Source', (object) => sourceText(object as Event), WIDE),
    column('Message', (object) => ((object as Event).message ?? '').trim()),
    column('First Seen', (object, now) => firstSeen(object as Event, now), WIDE),
    column('Count', (object) => countOf(object as Event), WIDE),
    { ...NAME, definition: { ...NAME.definition, priority: 1 } },
  ],
  Namespace: [NAME, column('Status', (object) => (object as Namespace).status?.phase ?? ''), AGE],
  ServiceAccount: [NAME, AGE],
  CustomResourceDefinition: [NAME, column('Created At', ({ metadata }) => metadata.creationTimestamp ?? '')],
  MutatingWebhookConfiguration: [NAME, column('Webhooks', webhookCount), AGE],
  ValidatingWebhookConfiguration: [NAME, column('Webhooks', webhookCount), AGE],
  PriorityClass: [
    NAME,
    column('Value', (object) => (object as PriorityClass).value ?? 0),
    column('Global-Default', (object) => (object as PriorityClass).globalDefault === true),
    AGE,
    column('PreemptionPolicy', (object) => (object as PriorityClass).preemptionPolicy ?? NONE),
  ],
  Lease: [
    NAME,
    column('Holder', (object) => (object as { spec?: { holderIdentity?: string } }).spec?.holderIdentity ?? ''),
    AGE,
  ],
  Node: [
    NAME,
    column('Status', (object) => nodeStatus(object as Node)),
    column('Roles', ({ metadata }) => rolesOf(metadata.labels) || NONE),
    AGE,
    column('Version', (object) => nodeInfo(object, 'kubeletVersion')),
    column('Internal-IP', (object) => addressOf(object as Node, 'InternalIP'), WIDE),
    column('External-IP', (object) => addressOf(object as Node, 'ExternalIP'), WIDE),
    column('OS-Image', (object) => nodeInfo(object, 'osImage') || '<unknown>', WIDE),
    column('Kernel-Version', (object) => nodeInfo(object, 'kernelVersion') || '<unknown>', WIDE),
    column('Container-Runtime', (object) => nodeInfo(object, 'containerRuntimeVersion') || '<unknown>', WIDE),
  ],
  PersistentVolumeClaim: [
    NAME,
    column('Status', ({ metadata, ...rest }) =>
      metadata.deletionTimestamp === undefined ? ((rest as Claim).status?.phase ?? '') : 'Terminating',
    ),
    column('Volume', (object) => claimSpec(object).volumeName ?? ''),
    column('Capacity', (object) => (object as Claim).status?.capacity?.storage ?? ''),
    column('Access Modes', (object) => ((object as Claim).status?.accessModes ?? []).map(shortMode).join(',')),
    column('StorageClass', (object) => claimSpec(object).storageClassName ?? ''),
    column('VolumeAttributesClass', (object) => claimSpec(object).volumeAttributesClassName ?? '<unset>'),
    AGE,
    column('VolumeMode', (object) => claimSpec(object).volumeMode ?? '<unset>', WIDE),
  ],
}

/** The columns of a built-in kind; name and age where nothing special is known. */
export function builtinColumns(kind: string): readonly Column[] {
  return BY_KIND[kind] ?? [NAME, AGE]
}

interface Claim {
  readonly kind?: string
  readonly spec?: {
    volumeName?: string
    storageClassName?: string
    volumeAttributesClassName?: string
    volumeMode?: string
  }
  readonly status?: { phase?: string; accessModes?: string[]; capacity?: { storage?: string } }
}

function claimSpec(object: KubeObject): NonNullable<Claim['spec']> {
  return (object as Claim).spec ?? {}
}

const MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

function shortMode(mode: string): string {
  return MODES[mode] ?? mode
}

function webhookCount(object: KubeObject): number {
  return ((object as { webhooks?: readonly object[] }).webhooks ?? []).length
}

interface ServiceSpec {
  readonly type?: string
  readonly clusterIP?: string
  readonly externalIPs?: readonly string[]
  readonly ports?: readonly { port: number; protocol?: string; nodePort?: number }[]
}

function specOf(object: KubeObject): ServiceSpec {
  return ((object as Service).spec ?? {}) as ServiceSpec
}

function portText({
  port,
  protocol = 'TCP',
  nodePort,
}: {
  port: number
  protocol?: string
  nodePort?: number
}): string {
  return nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`
}

function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const texts = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`)
  return texts.toSorted().join(',') || NONE
}

function sizeOf(map: object | undefined): number {
  return Object.keys(map ?? {}).length
}

interface Involved {
  readonly kind?: string
  readonly name?: string
  readonly fieldPath?: string
}

function involvedOf(event: Event): Involved {
  return (event.involvedObject ?? {}) as Involved
}

function involved(event: Event): string {
  const { kind = '', name = '' } = involvedOf(event)
  return name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`
}

interface EventTimes {
  readonly firstTimestamp?: string | null
  readonly lastTimestamp?: string | null
  readonly eventTime?: string | null
  readonly count?: number
  readonly series?: { count?: number; lastObservedTime?: string } | null
  readonly source?: { component?: string; host?: string }
  readonly reportingComponent?: string
  readonly reportingInstance?: string
}

function firstSeen(event: Event, now: number): string {
  const { firstTimestamp, eventTime } = event as EventTimes
  return ageText(firstTimestamp || eventTime, now)
}

function lastSeen(event: Event, now: number): string {
  const { lastTimestamp, series } = event as EventTimes
  const last = series?.lastObservedTime || lastTimestamp
  return last ? ageText(last, now) : firstSeen(event, now)
}

/** Events of the newer kind have a count only where they are a series. */
function countOf(event: Event): number {
  const { count, series } = event as EventTimes
  return series ? (series.count ?? 0) : count || 1
}

function sourceText(event: Event): string {
  const { source, reportingComponent, reportingInstance } = event as EventTimes
  return [source?.component || reportingComponent, source?.host || reportingInstance].filter(Boolean).join(', ')
}

function nodeStatus({ status, spec }: Node): string {
  const ready = status?.conditions?.find((condition) => condition.type === 'Ready')
  const text = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return (spec as { unschedulable?: boolean } | undefined)?.unschedulable === true ? `${text},SchedulingDisabled` : text
}

const ROLE = 'node-role.kubernetes.io/'

function rolesOf(labels: Readonly<Record<string, string>> = {}): string {
  const roles = Object.keys(labels).filter((label) => label.startsWith(ROLE))
  return roles
    .map((label) => label.slice(ROLE.length))
    .toSorted()
    .join(',')
}

function addressOf({ status }: Node, type: string): string {
  const { addresses } = (status ?? {}) as { addresses?: readonly { type: string; address: string }[] }
  return addresses?.find((one) => one.type === type)?.address ?? NONE
}

function nodeInfo(object: KubeObject, field: string): string {
  const { nodeInfo: info } = ((object as Node).status ?? {}) as { nodeInfo?: Record<string, string> }
  return info?.[field] ?? ''
}
