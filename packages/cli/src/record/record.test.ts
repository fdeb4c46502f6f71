import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordedLogs } from '../commands/logs/recorded-logs.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { readRecord } from './read-record.ts'
import { createRecordWriter } from './record-writer.ts'
import type { RecordedLine, RunRecord } from './run-record.ts'

const record = (name: string, namespace = 'default'): RunRecord => ({
  version: 1,
  name,
  namespace,
  startedAt: '2026-01-01T00:00:00Z',
  finishedAt: '2026-01-01T00:01:00Z',
  state: 'Complete',
  exitCode: 0,
  nodes: ['node-0', 'node-1'],
  trainJob: {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name },
    spec: { runtimeRef: { name: 'plain' } },
  },
  objects: [],
})
const line = (node: string, text: string, at = '2026-01-01T00:00:10Z'): RecordedLine => ({
  node,
  container: 'node',
  text,
  at,
})

async function write(dir: string, name: string, lines: readonly RecordedLine[], namespace?: string): Promise<void> {
  const writer = await createRecordWriter({
    dir,
    unique: `${name}-x`,
    onFailure: (error) => expect.unreachable(error.message),
  })
  for (const one of lines) writer.write(one)
  await writer.close(record(name, namespace))
}

async function texts(dir: string, options: Parameters<typeof recordedLogs>[1]): Promise<string[]> {
  const found = await readRecord(dir, 'a', 'default')
  const lines: string[] = []
  for await (const { node, text } of recordedLogs(
    found ?? expect.unreachable(),
    options,
    Date.parse('2026-01-01T00:01:00Z'),
  )) {
    lines.push(`${node} ${text}`)
  }
  return lines
}

describe('the record of a run', () => {
  test('keeps every line and the final objects', async () => {
    const dir = temporaryFolder()
    await write(dir, 'a', [line('node-0', 'zwölf ☃'), line('node-1', '')])
    const found = await readRecord(dir, 'a', 'default')
    expect(found?.record).toEqual(record('a'))
    expect(await texts(dir, {})).toEqual(['node-0 zwölf ☃', 'node-1 '])
    expect(readdirSync(dir)).toEqual(['a'])
  })
  test('a second run of the same name takes its place; another namespace is another run', async () => {
    const dir = temporaryFolder()
    await write(dir, 'a', [line('node-0', 'old')])
    await write(dir, 'a', [line('node-0', 'new')])
    await write(dir, 'a', [line('node-0', 'other')], 'team')
    expect(await texts(dir, {})).toEqual(['node-0 new'])
    expect(readdirSync(dir).toSorted()).toEqual(['a', 'a@team'])
  })
  test('only the last 20 runs stay, and nothing of a run that was killed long ago', async () => {
    const dir = temporaryFolder()
    for (let at = 0; at < 22; at++) {
      await write(dir, `run-${at}`, [])
      utimesSync(join(dir, `run-${at}`), 1_700_000_000 + at, 1_700_000_000 + at)
    }
    writeFileSync(join(dir, '.killed'), '')
    utimesSync(join(dir, '.killed'), 1_600_000_000, 1_600_000_000)
    await write(dir, 'last', [])
    const left = readdirSync(dir)
    expect(left).toHaveLength(20)
    expect(left).toContain('last')
    expect(left).not.toContain('run-0')
    expect(left).not.toContain('.killed')
  })
  test('a folder that cannot be written is told once and costs nothing else', async () => {
    const dir = temporaryFolder({ file: '' })
    const failures: Error[] = []
    const writer = await createRecordWriter({
      dir: join(dir, 'file'),
      unique: 'x',
      onFailure: (error) => failures.push(error),
    })
    writer.write(line('node-0', 'lost'))
    expect(await writer.close(record('a'))).toBeUndefined()
    expect(failures).toHaveLength(1)
  })
  test('what is no record is no record', async () => {
    const dir = temporaryFolder({ 'broken/record.json': '{' })
    for (const name of ['broken', 'nope', '../etc', '.hidden'])
      expect(await readRecord(dir, name, 'default')).toBeUndefined()
  })
})

describe('logs from a record', () => {
  test.each([
    ['of one node', { node: 'node-1' }, ['node-1 c']],
    ['of all nodes of a replicated job', { node: ['node'] }, ['node-0 a', 'node-0 b', 'node-1 c', 'node-0 d']],
    ['the last of each node', { tail: 1 }, ['node-1 c', 'node-0 d']],
    ['since', { since: 15 }, ['node-0 d']],
    ['of a container that was not recorded', { container: 'sidecar' }, []],
  ])('%s', async (_, options, expected) => {
    const dir = temporaryFolder()
    const lines = [
      line('node-0', 'a'),
      line('node-0', 'b'),
      line('node-1', 'c'),
      line('node-0', 'd', '2026-01-01T00:00:50Z'),
    ]
    await write(dir, 'a', lines)
    expect(await texts(dir, options)).toEqual(expected)
  })
})
