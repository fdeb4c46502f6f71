import { relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { files, read, readPackages, root } from './workspace.ts'

describe.each(readPackages())('what $name exports', ({ folder, modules }) => {
  const all = [...modules].flatMap(([module, names]) => [...names.values()].map((name) => ({ module, ...name })))
  const at = ({ name, file, line }: (typeof all)[number]): string => `${name} (${relative(root, file)}:${line})`

  it('has a doc comment', () => {
    expect(all.filter(({ doc }) => doc === '').map(at)).toEqual([])
  })

  it('has an example, if it is a function', () => {
    const functions = all.filter(({ kind }) => kind === 'function')
    expect(functions.filter(({ doc }) => !/^\s*\* @example$/m.test(doc)).map(at)).toEqual([])
  })

  it('is listed in the README, if it is more than a type', () => {
    const readme = files(`${folder}/README.md`).map(read).join()
    const listed = new Set(readme.match(/(?<=`)\w+(?=`)/g))
    expect(all.filter(({ name, kind }) => kind !== 'type' && !listed.has(name)).map(at)).toEqual([])
  })
})
