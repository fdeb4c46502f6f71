import { expect, it } from 'vitest'
import type { ContainerSpec } from '../runner.ts'
import { createArguments } from './create-arguments.ts'

function made(spec: Partial<ContainerSpec>) {
  const image = { name: 'my/image:1', pull: 'IfNotPresent', replacesEntrypoint: true } as const
  return createArguments(
    { id: 'pod/node/0', argv: ['python', 'train.py'], env: {}, mounts: [], image, onOutput() {}, ...spec },
    { name: 'n', engineId: 'e', labelDisabled: false, terminal: false },
  )
}

it('puts the program into the place of the entrypoint', () => {
  expect(made({}).args.slice(-4)).toEqual(['--entrypoint', 'python', 'my/image:1', 'train.py'])
})

it('leaves the entrypoint where there are arguments only', () => {
  const image = { name: 'my/image:1', pull: 'Always', replacesEntrypoint: false } as const
  const { args } = made({ image, argv: ['--epochs', '3'] })
  expect(args.slice(-3)).toEqual(['my/image:1', '--epochs', '3'])
  expect(args).toContain('--pull=always')
  expect(args).not.toContain('--entrypoint')
})

it('keeps values out of the command line, which everybody can read', () => {
  const { args, env } = made({ env: { HF_TOKEN: 'secret', PATH: '/opt/bin', EMPTY: '', DOCKER_HOST: 'x' } })
  expect(args.join(' ')).not.toContain('secret')
  expect(env).toMatchObject({ HF_TOKEN: 'secret' })
  // what the engine's own program would take for itself
  expect(env).not.toHaveProperty('PATH')
  expect(env).not.toHaveProperty('DOCKER_HOST')
  expect(args).toEqual(expect.arrayContaining(['HF_TOKEN', 'PATH=/opt/bin', 'EMPTY=', 'DOCKER_HOST=x']))
})

it('quotes paths that are no plain fields', () => {
  const { args } = made({ mounts: [{ source: '/a,b "c"', target: '/data', readOnly: true }] })
  expect(args).toContain('type=bind,"source=/a,b ""c""",target=/data,readonly')
})

it('limits memory, swap included, and CPU', () => {
  const { args } = made({ limits: { memoryBytes: 64_000_000, cpus: 1.5 } })
  expect(args.join(' ')).toContain('--memory 64000000b --memory-swap 64000000b --cpus 1.5')
})
