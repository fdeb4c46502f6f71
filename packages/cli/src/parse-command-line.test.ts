import { describe, expect, test } from 'vitest'
import { parseCommandLine } from './parse-command-line.ts'

const flagsOf = (line: string) => parseCommandLine(line.split(' '), 'trainjob').invocation

describe('a command line', () => {
  test.each([
    ['run -f a.yaml --filename b.yaml', { filename: ['a.yaml', 'b.yaml'], fit: true }, []],
    ['run --no-fit -f -', { filename: ['-'], fit: false }, []],
    ['get pods -n x -o=json -w', { namespace: 'x', output: 'json', watch: true, headers: true }, ['pods']],
    ['get pods -ojson --no-headers', { output: 'json', headers: false }, ['pods']],
    ['get --local pods', { local: 'default', headers: true }, ['pods']],
    ['get --local=other pods', { local: 'other', headers: true }, ['pods']],
    ['logs mnist --tail=-1 --follow', { tail: '-1', follow: true }, ['mnist']],
    ['logs mnist --prefix', { prefix: 'always' }, ['mnist']],
    ['get --watch=false', { watch: false, headers: true }, []],
    ['local up --port 8443', { port: '8443' }, []],
  ])('%s', (line, flags, args) => {
    expect(flagsOf(line)).toEqual({ flags, args })
  })

  test('what stands behind -- is taken as it is', () => {
    expect(flagsOf('run --nodes 2 -- python -f x -- y')).toEqual({
      flags: { nodes: '2', fit: true },
      args: [],
      rest: ['python', '-f', 'x', '--', 'y'],
    })
  })

  test.each([
    ['rum', 'there is no command "rum". Did you mean "run"?'],
    ['--nodes 3', 'the command comes first'],
    ['local upp', 'there is no command "local upp", only local up, local down'],
    ['run --nods 3', 'there is no flag "--nods". Did you mean --nodes?'],
    ['run --nodes', '--nodes wants a value'],
    ['run --nodes -f x', '--nodes=-f'],
    ['run -o jsn', '-o wants json or yaml; found "jsn". Did you mean json?'],
    ['get --watch=maybe', '--watch takes no value; found "maybe"'],
  ])('%s is refused', (line, message) => {
    expect(() => flagsOf(line)).toThrow(message)
  })
})
