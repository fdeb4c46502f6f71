import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ended } from '../run-program.ts'
import { trainjob } from './trainjob.ts'

const examples = join(import.meta.dirname, 'examples')
const example = (name: string): string[] => ['-f', join(examples, `${name}.yaml`)]

/** What the document only names: a train.py. The stand-ins for python and torchrun below run it with Node. */
const TRAIN = `
const { existsSync, readdirSync } = require('node:fs')
const { PET_NNODES, RANK, WORLD_SIZE, EPOCHS, LOG_LEVEL, EXPERIMENT_ID } = process.env
const data = existsSync('/workspace/dataset') ? '/workspace/dataset' : process.env.DATASET
const files = data && existsSync(data) ? readdirSync(data).filter((name) => !name.startsWith('.')).join(' ') : ''
console.log(JSON.stringify({ PET_NNODES, RANK, WORLD_SIZE, EPOCHS, LOG_LEVEL, EXPERIMENT_ID, args: process.argv.slice(2), files }))
`

describe('the examples of the document run here, as they are written', () => {
  let folder = ''
  let bucket: Server

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trainjob-dialect-'))
    await mkdir(join(folder, 'bin'))
    await writeFile(join(folder, 'train.py'), TRAIN)
    const start = `#!/bin/sh\nfor script; do :; done\nexec "${process.execPath}" --input-type=commonjs - "$@" < "$script"\n`
    for (const program of ['python', 'torchrun']) {
      await writeFile(join(folder, 'bin', program), start)
      await chmod(join(folder, 'bin', program), 0o755)
    }
    bucket = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://bucket')
      if (url.searchParams.has('list-type')) {
        const entry = '<Contents><Key>datasets/mnist/digits.bin</Key><Size>4</Size></Contents>'
        response.end(
          `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${entry}</ListBucketResult>`,
        )
      } else response.writeHead(200, { 'content-length': 4 }).end('data')
    })
    bucket.listen(0, '127.0.0.1')
    await new Promise((resolve) => bucket.once('listening', resolve))
    const { port } = bucket.address() as AddressInfo
    const secret = { ENDPOINT: `http://127.0.0.1:${port}`, ACCESS_KEY_ID: 'key', SECRET_ACCESS_KEY: 'secret' }
    await writeFile(
      join(folder, 'secret.json'),
      JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's3-credentials' }, stringData: secret }),
    )
  })
  afterAll(async () => {
    bucket.close()
    await rm(folder, { recursive: true, force: true })
  })

  function run(...files: string[]): Promise<Ended> {
    return trainjob(folder, ['run', ...files], { PATH: `${join(folder, 'bin')}:${process.env.PATH}` })
  }

  /** What each node said, by its name. */
  function saidBy({ code, stdout, stderr }: Ended): Record<string, Record<string, unknown>> {
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Complete') })
    const lines = stdout.split('\n').filter((line) => line.includes('| {'))
    return Object.fromEntries(lines.map((line) => [line.split(' ')[0], JSON.parse(line.slice(line.indexOf('{')))]))
  }

  it('multi-node-pytorch', async () => {
    const said = saidBy(await run(...example('multi-node-pytorch')))
    expect(Object.keys(said).toSorted()).toEqual(['node-0', 'node-1', 'node-2', 'node-3'])
    expect(said['node-2']).toMatchObject({ PET_NNODES: '4', WORLD_SIZE: '8' })
  })

  it('trainjob-pytorch-mnist, with its data', async () => {
    const files = ['trainjob-pytorch-mnist', 'trainingruntime-pytorch-mnist'].flatMap(example)
    const said = saidBy(await run(...files, '-f', 'secret.json'))
    expect(
      Object.values(said)
        .map(({ RANK }) => RANK)
        .toSorted(),
    ).toEqual(['0', '1', '2', '3'])
    expect(said['node-1']).toMatchObject({ PET_NNODES: '2:8', EPOCHS: '10', LOG_LEVEL: 'debug', files: 'digits.bin' })
  })

  it('trainjob-runtime-patches', async () => {
    const said = saidBy(await run(...['trainjob-runtime-patches', 'trainingruntime-pytorch-mnist'].flatMap(example)))
    expect(said['node-3']).toMatchObject({ EXPERIMENT_ID: '42' })
  })

  it('flux-lammps-runtime, which says that it needs images', async () => {
    const { code, stderr } = await run(...['flux-trainjob', 'flux-lammps-runtime'].flatMap(example))
    expect(stderr).toMatch(/takes Flux out of the image .*flux-view.*--runner podman, --runner docker, or a cluster/)
    expect(code).toBe(2)
  })

  it('kueue-trainjob', async () => {
    const ran = await run(...['kueue-trainjob', 'gpu-runtime'].flatMap(example))
    expect(Object.keys(saidBy(ran))).toHaveLength(2)
    expect(ran.stderr).toContain('managedBy: kueue.x-k8s.io/multikueue is ignored here')
  })
})
