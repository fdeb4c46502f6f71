import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FolderView, planRoot } from './root-plan.ts'

const folders = ['/', '/bin', '/home', '/home/me', '/mnt', '/mnt/disk', '/tmp', '/src', '/src/sub', '/etc']
const files = ['/etc/hosts', '/mnt/readme', '/init', '/src/file']
const links = new Map([['/lib', 'bin']])
const view: FolderView = {
  list: (path) =>
    [...folders, ...files, ...links.keys()]
      .filter((entry) => entry !== '/' && posix.dirname(entry) === path)
      .map((entry) => {
        const name = posix.basename(entry)
        if (links.has(entry)) return { name, kind: 'link', to: links.get(entry) as string }
        return { name, kind: folders.includes(entry) ? 'folder' : 'other' }
      }),
  exists: (path) => folders.includes(path) || files.includes(path) || links.has(path),
  isFolder: (path) => folders.includes(path),
}

describe('planRoot', () => {
  it('mounts over targets that exist', () => {
    const hosts = { source: '/tmp/hosts', target: '/etc/hosts' }
    expect(planRoot([hosts], view)).toEqual({ newRoot: false, folders: [], files: [], links: [], binds: [hosts] })
  })

  it('rebuilds the root for a name that is missing in it, and binds everything else', () => {
    const plan = planRoot([{ source: '/src', target: '/workspace' }], view)
    expect(plan.newRoot).toBe(true)
    expect(plan.folders).toEqual(['/bin', '/home', '/mnt', '/tmp', '/src', '/etc', '/workspace'])
    expect(plan.files).toEqual(['/init'])
    expect(plan.links).toEqual([{ path: '/lib', to: 'bin' }])
    expect(plan.binds).toEqual([
      ...['/bin', '/home', '/mnt', '/tmp', '/src', '/etc', '/init'].map((path) => ({ source: path, target: path })),
      { source: '/src', target: '/workspace' },
    ])
  })

  it('rebuilds only the folders above a missing name', () => {
    const plan = planRoot([{ source: '/src', target: '/mnt/data/deep' }], view)
    expect(plan.folders).toEqual(expect.arrayContaining(['/mnt', '/mnt/disk', '/mnt/data/deep']))
    expect(plan.files).toEqual(expect.arrayContaining(['/mnt/readme']))
    const targets = plan.binds.map(({ target }) => target)
    expect(targets).not.toContain('/mnt')
    expect(targets).toEqual(expect.arrayContaining(['/mnt/disk', '/mnt/readme', '/home']))
  })

  it('makes a file where a file will be', () => {
    const plan = planRoot([{ source: '/src/file', target: '/conf/app.yaml' }], view)
    expect(plan.files).toContain('/conf/app.yaml')
    expect(plan.folders).toContain('/conf')
  })

  it('mounts outer targets before inner ones, which exist in the outer’s source', () => {
    const inner = { source: '/tmp', target: '/workspace/sub' }
    const outer = { source: '/src', target: '/workspace' }
    const plan = planRoot([inner, outer], view)
    expect(plan.binds.slice(-2)).toEqual([outer, inner])
    expect(plan.folders).not.toContain('/workspace/sub')
  })
})
