import { customResourceDefinitions } from '@trainjob/api/crd'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { ExitCode } from '../../exit-code.ts'
import { main } from '../../index.ts'
import { capturedIO } from '../../testing/captured-io.ts'

async function crds(...flags: string[]) {
  const captured = capturedIO()
  const exitCode = await main(['controller', 'crds', ...flags], captured.io)
  return { exitCode, stdout: captured.stdout(), stderr: captured.stderr() }
}

const forDialect: unknown = JSON.parse(JSON.stringify(customResourceDefinitions({ dialect: true })))
const canonical: unknown = JSON.parse(JSON.stringify(customResourceDefinitions()))

describe('controller crds', () => {
  test('prints a YAML document for each definition', async () => {
    const { exitCode, stdout, stderr } = await crds()
    expect([exitCode, stderr]).toEqual([ExitCode.ok, ''])
    // YAML 1.1 is what kubectl reads
    const documents = parseAllDocuments(stdout, { version: '1.1' })
    expect(documents.map((document) => document.toJS() as unknown)).toEqual(forDialect)
  })

  test('prints one List as JSON', async () => {
    const { stdout } = await crds('-o', 'json')
    expect(JSON.parse(stdout)).toEqual({ apiVersion: 'v1', kind: 'List', items: forDialect })
  })

  test("says with --compat upstream what upstream's say", async () => {
    const { stdout } = await crds('-o', 'json', '--compat', 'upstream')
    expect(JSON.parse(stdout)).toMatchObject({ items: canonical })
  })

  test.each([[['jobs']], [['-o', 'wide']]])('refuses %j', async (argv) => {
    const { exitCode, stdout, stderr } = await crds(...argv)
    expect([exitCode, stdout]).toEqual([ExitCode.usage, ''])
    expect(stderr).toContain('error: ')
  })
})
