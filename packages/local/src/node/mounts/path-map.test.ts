import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapPath, rewritePaths } from './path-map.ts'

const map = [
  { target: '/workspace', source: '/home/me/digits' },
  { target: '/workspace/dataset', source: '/tmp/run/volumes/data' },
  { target: '/data', source: '/tmp/run/volumes/d' },
]

describe('rewritePaths', () => {
  it.each([
    ['/workspace', '/home/me/digits'],
    ['/workspace/', '/home/me/digits/'],
    ['/workspace/train.py', '/home/me/digits/train.py'],
    ['/workspace/dataset/a', '/tmp/run/volumes/data/a'],
    ['/workspace/datasets', '/home/me/digits/datasets'],
    ['--out=/workspace/m.pt', '--out=/home/me/digits/m.pt'],
    ['/data:/workspace', '/tmp/run/volumes/d:/home/me/digits'],
    ['cd /workspace && python "/data/x y.py"', 'cd /home/me/digits && python "/tmp/run/volumes/d/x y.py"'],
    ['file:///data/x', 'file:///tmp/run/volumes/d/x'],
    ['{"dir":"/data"}', '{"dir":"/tmp/run/volumes/d"}'],
    ['(/data)', '(/tmp/run/volumes/d)'],
    ['>/data/log', '>/tmp/run/volumes/d/log'],
  ])('%s', (text, rewritten) => {
    expect(rewritePaths(text, map)).toBe(rewritten)
  })

  it.each([
    '/workspaces',
    '/workspace.bak',
    '/workspace-2/x',
    '/mnt/workspace/x',
    './workspace',
    '../data',
    '~/data',
    '$HOME/workspace',
    '$'.concat('{HOME}/data'),
    '$(pwd)/data',
    'https://example.org/data',
    's3://bucket/data',
    'no path',
  ])('leaves %s alone', (text) => {
    expect(rewritePaths(text, map)).toBe(text)
  })

  it('rewrites once: what it puts in is not looked at again', () => {
    const loop = [
      { target: '/a', source: '/b/a' },
      { target: '/b', source: '/a/b' },
    ]
    expect(rewritePaths('/a/x /b/y', loop)).toBe('/b/a/x /a/b/y')
  })

  it('takes any signs in targets and sources as they are', () => {
    const name = fc.stringMatching(/^[a-z.+$*?[\](){}|^\\]{1,8}$/)
    fc.assert(
      fc.property(name, name, (target, source) => {
        const own = [{ target: `/${target}`, source: `/${source}` }]
        expect(rewritePaths(`/${target}/x`, own)).toBe(`/${source}/x`)
      }),
    )
  })
})

describe('mapPath', () => {
  it.each([
    ['/workspace', '/home/me/digits'],
    ['/workspace/a/b', '/home/me/digits/a/b'],
    ['/workspace/dataset/b', '/tmp/run/volumes/data/b'],
    ['/workspace2', '/workspace2'],
    ['/etc', '/etc'],
  ])('%s', (path, mapped) => {
    expect(mapPath(path, map)).toBe(mapped)
  })
})
