import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATA_HOME, ROOT, run, succeed } from './run.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, unknown>>
}

const packages = readdirSync(join(ROOT, 'packages')).map((folder) => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'packages', folder, 'package.json'), 'utf8')) as Manifest
  const tarball = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`
  return { folder: join(ROOT, 'packages', folder), manifest, tarball }
})
const importPaths = packages.flatMap(({ manifest }) =>
  Object.keys(manifest.exports)
    // a program is started, not imported
    .filter((path) => path !== './package.json' && !path.endsWith('/main'))
    .map((path) => manifest.name + path.slice(1)),
)

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'trainjob-packaging-'))
  await succeed('npx', ['-y', 'pnpm@12.4.2', 'build'], ROOT)
  for (const { folder } of packages) {
    await succeed('npx', ['-y', 'pnpm@12.4.2', 'pack', '--pack-destination', scratch], folder)
  }
}, 300_000)
afterAll(async () => {
  await rm(scratch, { recursive: true, force: true })
  await rm(DATA_HOME, { recursive: true, force: true })
})

describe.each(packages)('the tarball of $manifest.name', ({ manifest, tarball }) => {
  it('is what bundlers and Node expect', async () => {
    const { code, stdout } = await run('publint', ['run', '--strict', join(scratch, tarball)], ROOT)
    expect(code, stdout).toBe(0)
  })

  it('has types that every resolution finds', async () => {
    const { code, stdout } = await run(
      'attw',
      ['--profile', 'esm-only', '--format', 'ascii', join(scratch, tarball)],
      ROOT,
    )
    expect(code, stdout).toBe(0)
  })

  it('holds no sources, tests or paths of the machine that built it', async () => {
    const files = (await succeed('tar', ['-tzf', tarball], scratch)).trim().split('\n')
    expect(files.filter((file) => /\/src\/|\.test\.|tsconfig/.test(file))).toEqual([])
    const text = await succeed('sh', ['-c', `tar -xzOf ${tarball} | grep -aFc '${ROOT}/' || true`], scratch)
    expect(text.trim(), manifest.name).toBe('0')
  })
})

describe('a project that installs the packages', () => {
  let project: string
  beforeAll(async () => {
    project = join(scratch, 'consumer')
    await mkdir(project)
    await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
    const tarballs = packages.map(({ tarball }) => join(scratch, tarball))
    await succeed('npm', ['install', '--no-audit', '--no-fund', ...tarballs], project)
  }, 300_000)

  it.each(importPaths)('imports %s', async (path) => {
    const names = await succeed(
      process.execPath,
      ['-e', `import('${path}').then((m) => console.log(Object.keys(m).length))`],
      project,
    )
    expect(Number(names)).toBeGreaterThan(0)
  })

  it('compiles against their types, without skipping the declarations', async () => {
    await writeFile(
      join(project, 'use.ts'),
      `import type { TrainJob } from '@trainjob/api'
import { render, shippedRuntimes } from '@trainjob/runtime'
${importPaths.map((path, n) => `import * as m${n} from '${path}'`).join('\n')}

const job: TrainJob = {
  apiVersion: 'trainer.kubeflow.org/v1alpha1',
  kind: 'TrainJob',
  metadata: { name: 'a' },
  spec: { runtimeRef: { name: 'torch-distributed' }, trainer: { numNodes: 2 } },
}
const runtime = shippedRuntimes()[0]
if (runtime !== undefined) console.log(render(job, runtime).objects.length)
// @ts-expect-error a number of nodes is no text
job.spec.trainer = { numNodes: '2' }
export const all = [${importPaths.map((_, n) => `m${n}`).join(', ')}]
`,
    )
    await succeed('npm', ['install', '--no-audit', '--no-fund', '--no-save', '@types/node@24'], project)
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node', 'use.ts']
    await succeed(process.execPath, [join(ROOT, 'node_modules/typescript-native/bin/tsc'), ...options], project)
  })

  it('runs a job on two nodes with the installed program', async () => {
    const program = "console.log('rank ' + process.env.PET_NODE_RANK + ' of ' + process.env.PET_NNODES)"
    const { code, stdout, stderr } = await run(
      join(project, 'node_modules/.bin/trainjob'),
      ['run', '--nodes', '2', '--', 'node', '-e', program],
      project,
    )
    expect(stderr).toContain('Complete in')
    expect(stdout.trim().split('\n').sort()).toEqual(['node-0 | rank 0 of 2', 'node-1 | rank 1 of 2'])
    expect(code).toBe(0)
  })
})
