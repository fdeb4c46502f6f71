import { age } from '../../output/age.ts'
import { nodeCount } from '../../output/node-count.ts'
import { printTable } from '../../output/table.ts'
import type { Description } from './describe.ts'

/** A description as a person reads it: facts, conditions, nodes, events, hints. */
export function describeText({ trainJob, state, progress, nodes, events, hints }: Description, now: number): string {
  const { metadata, spec } = trainJob
  const trainer = spec.trainer
  const command = [...(trainer?.command ?? []), ...(trainer?.args ?? [])]
  const facts: [string, string | undefined][] = [
    ['Name', metadata.name],
    ['Namespace', metadata.namespace],
    ['State', state],
    ['Runtime', `${spec.runtimeRef.kind ?? 'ClusterTrainingRuntime'}/${spec.runtimeRef.name}`],
    ['Created', when(metadata.creationTimestamp, now)],
    ['Deleted', metadata.deletionTimestamp === undefined ? undefined : when(metadata.deletionTimestamp, now)],
    ['Nodes', nodeCount(trainJob)?.toString()],
    ['Image', trainer?.image],
    ['Command', command.length === 0 ? undefined : command.map(quoted).join(' ')],
    ['Env', trainer?.env?.map(({ name, value }) => `${name}=${value ?? '(from elsewhere)'}`).join(' ')],
    ['Managed by', spec.managedBy],
    ['Progress', progress?.progress === undefined ? undefined : `${progress.progress} %`],
    ['Done at', progress?.eta],
    ['Metrics', labels(progress?.metrics)],
    ['Labels', labels(metadata.labels)],
  ]
  return [
    pairs(facts),
    section('Conditions', conditions(trainJob, now)),
    section('Nodes', nodeTable(nodes)),
    section('Events', eventTable(events, now)),
    section('What to do', hints.map((hint) => `- ${hint}\n`).join('')),
  ].join('')
}

function pairs(facts: readonly [string, string | undefined][]): string {
  const shown = facts.filter((fact): fact is [string, string] => fact[1] !== undefined && fact[1] !== '')
  const width = Math.max(...shown.map(([name]) => name.length)) + 2
  return shown.map(([name, value]) => `${`${name}:`.padEnd(width)} ${value}\n`).join('')
}

function section(title: string, body: string): string {
  return body === '' ? '' : `${title}:\n${body.replace(/^(?=.)/gm, '  ')}`
}

function conditions({ status }: Description['trainJob'], now: number): string {
  const rows = (status?.conditions ?? []).map((one) => [
    one.type,
    one.status,
    one.reason,
    age(one.lastTransitionTime, now),
    one.message,
  ])
  return rows.length === 0 ? '' : printTable(['TYPE', 'STATUS', 'REASON', 'AGE', 'MESSAGE'], rows)
}

function nodeTable(nodes: Description['nodes']): string {
  const rows = nodes.map(({ node, pod, phase, ready, restarts, exitCode, reason, message }) => [
    node,
    phase,
    ready ? 'yes' : 'no',
    String(restarts),
    exitCode === undefined ? '' : String(exitCode),
    pod ?? '<none>',
    [reason, message].filter((part) => part !== undefined && part !== '').join(': '),
  ])
  return rows.length === 0 ? '' : printTable(['NODE', 'PHASE', 'READY', 'RESTARTS', 'EXIT', 'POD', 'REASON'], rows)
}

function eventTable(events: Description['events'], now: number): string {
  const rows = events.map((event) => [
    age(event.lastTimestamp ?? event.eventTime ?? event.firstTimestamp, now),
    event.type ?? '',
    event.reason ?? '',
    `${(event.involvedObject.kind ?? '').toLowerCase()}/${event.involvedObject.name ?? ''}`,
    `${(event.message ?? '').replaceAll('\n', ' ')}${(event.count ?? 1) > 1 ? ` (${event.count} times)` : ''}`,
  ])
  return rows.length === 0 ? '' : printTable(['AGE', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'], rows)
}

function when(time: string | undefined, now: number): string | undefined {
  return time === undefined ? undefined : `${time} (${age(time, now)} ago)`
}

function labels(map: Readonly<Record<string, string | number>> = {}): string | undefined {
  const text = Object.entries(map)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
  return text === '' ? undefined : text
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
