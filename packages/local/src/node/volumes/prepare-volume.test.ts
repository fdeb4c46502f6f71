import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pod, Volume } from '@trainjob/api'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ConfigSources } from '../env/config-sources.ts'
import { prepareVolume } from './prepare-volume.ts'
import { pathInside } from './safe-path.ts'

let dir: string
let project: string
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'trainjob-volume-')))
  project = join(dir, 'project')
  mkdirSync(join(project, 'data'), { recursive: true })
  mkdirSync(join(dir, 'outside'))
  symlinkSync(join(dir, 'outside'), join(project, 'link'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const sources: ConfigSources = {
  tokens: new Map([['3600 ', 'of the account']]),
  configMaps: new Map([
    [
      'c',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: { a: 'one', b: 'two' }, binaryData: { z: 'AAE=' } },
    ],
    ['none', undefined],
  ]),
  secrets: new Map([['s', { apiVersion: 'v1', kind: 'Secret', metadata: {}, data: { key: 'aGk=' } }]]),
}
function prepare(source: Omit<Volume, 'name'>): string {
  const folders = {
    pod: join(dir, 'pod'),
    claims: join(dir, 'claims'),
    hostPaths: [project, join(dir, 'allowed'), join(dir, 'none')],
  }
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'mnist-0', labels: { zone: 'a "b"', app: 'x' } },
    spec: { containers: [{ name: 'node', resources: { limits: { memory: '1Gi' } } }] },
  }
  const facts = { nodeName: 'local', hostIP: '127.0.0.1', podIP: '127.64.0.1' }
  const answer = prepareVolume({ name: 'v', ...source }, folders, sources, { pod, facts, allocatable: { cpu: '2' } })
  return answer.ok ? answer.value : `! ${answer.fault.message}`
}

describe('prepareVolume', () => {
  it('makes an empty folder', () => {
    expect(prepare({ emptyDir: {} })).toBe(join(dir, 'pod/volumes/v'))
    expect(existsSync(join(dir, 'pod/volumes/v'))).toBe(true)
  })

  it('writes the keys of a ConfigMap', () => {
    const folder = prepare({ configMap: { name: 'c' } })
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('one')
    expect([...readFileSync(join(folder, 'z'))]).toEqual([0, 1])
  })

  it('writes chosen keys to chosen paths', () => {
    const folder = prepare({ configMap: { name: 'c', items: [{ key: 'b', path: 'deep/er/x', mode: 0o700 }] } })
    expect(readFileSync(join(folder, 'deep/er/x'), 'utf8')).toBe('two')
    expect(statSync(join(folder, 'deep/er/x')).mode & 0o777).toBe(0o700)
    expect(existsSync(join(folder, 'a'))).toBe(false)
  })

  it('keeps Secrets from other users of the machine', () => {
    const folder = prepare({ secret: { secretName: 's' } })
    expect(readFileSync(join(folder, 'key'), 'utf8')).toBe('hi')
    expect(statSync(join(folder, 'key')).mode & 0o777).toBe(0o600)
  })

  it('says what is known about the pod', () => {
    const folder = prepare({
      downwardAPI: {
        items: [
          { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
          { path: 'in/name', fieldRef: { fieldPath: 'metadata.name' }, mode: 0o400 },
          { path: 'mem', resourceFieldRef: { containerName: 'node', resource: 'limits.memory', divisor: '1Mi' } },
        ],
      },
    })
    expect(readFileSync(join(folder, 'labels'), 'utf8')).toBe('app="x"\nzone="a \\"b\\""')
    expect(readFileSync(join(folder, 'in/name'), 'utf8')).toBe('mnist-0')
    expect(statSync(join(folder, 'in/name')).mode & 0o777).toBe(0o400)
    expect(readFileSync(join(folder, 'mem'), 'utf8')).toBe('1024')
  })

  it('is repeated for the next attempt, also where files are read-only', () => {
    const volume = { configMap: { name: 'c', defaultMode: 0o400 } }
    expect(prepare(volume)).toBe(prepare(volume))
  })

  it('puts several sources into one folder', () => {
    const folder = prepare({
      projected: {
        defaultMode: 0o640,
        sources: [
          { configMap: { name: 'c', items: [{ key: 'a', path: 'conf/a' }] } },
          { secret: { name: 's' } },
          { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
        ],
      },
    })
    const names = ['conf/a', 'key', 'name']
    expect(names.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['one', 'hi', 'mnist-0'])
    expect(names.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o640, 0o640, 0o640])
  })

  it('keeps a claim’s folder outside of the pod', () => {
    expect(prepare({ persistentVolumeClaim: { claimName: 'ckpt' } })).toBe(join(dir, 'claims/ckpt'))
  })

  it('lets hostPath name folders of the project', () => {
    expect(prepare({ hostPath: { path: join(project, 'data') } })).toBe(join(project, 'data'))
    expect(prepare({ hostPath: { path: join(project, 'new/one'), type: 'DirectoryOrCreate' } })).toBe(
      join(project, 'new/one'),
    )
    expect(existsSync(join(project, 'new/one'))).toBe(true)
  })

  it('lets hostPath name other folders that are allowed', () => {
    mkdirSync(join(dir, 'allowed/data'), { recursive: true })
    expect(prepare({ hostPath: { path: join(dir, 'allowed/data') } })).toBe(join(dir, 'allowed/data'))
  })

  it.each([
    ['a ConfigMap that is missing', { configMap: { name: 'none' } }, 'configmap "none" not found'],
    ['a key that is missing', { configMap: { name: 'c', items: [{ key: 'q', path: 'q' }] } }, 'non-existent key: q'],
    ['a path out of the volume', { configMap: { name: 'c', items: [{ key: 'a', path: '../a' }] } }, 'must stay inside'],
    ['an absolute path', { configMap: { name: 'c', items: [{ key: 'a', path: '/tmp/a' }] } }, 'must stay inside'],
    ['a claim that is a path', { persistentVolumeClaim: { claimName: '../x' } }, 'is no name of a claim'],
    ['hostPath outside of the project', { hostPath: { path: '/etc' } }, 'outside of the project folder'],
    ['hostPath that is relative', { hostPath: { path: 'data' } }, 'does not exist'],
    [
      'a kind of volume that needs a cluster',
      { nfs: { server: 'x', path: '/' } },
      'nfs is not available on this machine',
    ],
    [
      'a certificate that nobody signs here',
      { projected: { sources: [{ clusterTrustBundle: { path: 'ca' } } as never] } },
      'not clusterTrustBundle',
    ],
    [
      'a name that the volume itself needs',
      { configMap: { name: 'c', items: [{ key: 'a', path: '..data' }] } },
      'path "..data" must stay inside of the volume',
    ],
    [
      'a field that Kubernetes does not offer',
      { downwardAPI: { items: [{ path: 'x', fieldRef: { fieldPath: 'spec.containers' } }] } },
      'fieldRef spec.containers of x is not a field',
    ],
    ['no source', {}, 'without a source'],
  ])('refuses %s', (_, source, message) => {
    expect(prepare(source)).toContain(message)
    expect(existsSync(join(dir, 'pod/volumes/a'))).toBe(false)
  })

  it('refuses hostPath through a link out of the project, or with dots', () => {
    expect(prepare({ hostPath: { path: join(project, 'link') } })).toContain('outside of the project folder')
    const dots = `${project}/nowhere/../../outside/new`
    expect(prepare({ hostPath: { path: dots, type: 'DirectoryOrCreate' } })).toMatch(/^! /)
    expect(existsSync(join(dir, 'outside/new'))).toBe(false)
  })

  it('leaves an optional ConfigMap that is missing empty', () => {
    expect(existsSync(prepare({ configMap: { name: 'none', optional: true } }))).toBe(true)
  })
})

describe('pathInside', () => {
  it('follows links inside, and none that lead out', () => {
    symlinkSync('data', join(project, 'inner'))
    writeFileSync(join(project, 'data/x'), '')
    expect(pathInside(project, 'inner/x')).toBe(join(project, 'inner/x'))
    expect(pathInside(project, 'link/x')).toBeUndefined()
    expect(pathInside(project, 'link')).toBeUndefined()
  })

  it('never answers a path out of the folder', () => {
    const part = fc.constantFrom('..', '.', '', 'a', 'link', 'data', '...', '/')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const path = pathInside(project, parts.join('/'))
        if (path === undefined) return
        let real = path
        while (!existsSync(real)) real = join(real, '..')
        expect(`${realpathSync(real)}/`.startsWith(`${project}/`)).toBe(true)
      }),
    )
  })
})
