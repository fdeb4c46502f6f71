import type { Pod } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { jobPorts, mapPortsInArgv, mapPortsInEnv } from './job-ports.ts'

const labels = { 'jobset.sigs.k8s.io/jobset-name': 'mnist' }
const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ml', labels },
  spec: {
    hostname: 'mnist-node-0-0',
    subdomain: 'mnist',
    containers: [{ name: 'node', ports: [{ containerPort: 29500 }, { containerPort: 53, protocol: 'UDP' }] }],
  },
}
const ports = (env: Record<string, string>, argv: string[] = []) => jobPorts(pod, new Map(Object.entries(env)), argv)

describe('jobPorts', () => {
  it.each([
    ['a declared port in an env variable', { PET_MASTER_PORT: '29500' }, [], [29500]],
    ['a declared port after a host', { ENDPOINT: 'localhost:29500' }, [], [29500]],
    ['an undeclared port of a peer', { SERVER: 'mnist-ps-0-0.mnist:2222' }, [], [2222]],
    ['a port beside the address of a peer', { MASTER_ADDR: 'mnist-node-0-0.mnist', MASTER_PORT: '1234' }, [], [1234]],
    ['a flag with a declared port', {}, ['--master_port', '29500'], [29500]],
    ['a flag with an equals sign', {}, ['--master-port=29500'], [29500]],
    ['a script', {}, ['-c', 'run --port 29500 --x'], [29500]],
    ['a declared port that nothing mentions', { A: '1' }, ['x'], []],
    ['somebody else’s server', { DB_HOST: 'db.example.org', DB_PORT: '5432', URL: 'db.example.org:5432' }, [], []],
    ['a number that is no port', { BATCH: '29500', N: '129500' }, ['29500'], []],
    ['UDP', { DNS_PORT: '53' }, [], []],
  ])('%s', (_, env, argv, found) => {
    expect(ports(env as Record<string, string>, argv)).toEqual(found)
  })
})

describe('mapping ports', () => {
  const map = new Map([
    [29500, 21000],
    [80, 21001],
  ])
  it.each([
    ['PET_MASTER_PORT', '29500', '21000'],
    ['ENDPOINT', 'mnist-node-0-0.mnist:29500', 'mnist-node-0-0.mnist:21000'],
    ['LIST', 'a:29500,b:29500', 'a:21000,b:21000'],
    ['JSON', '{"w":["a:29500"],"port": 80}', '{"w":["a:21000"],"port": 21001}'],
    ['BATCH', '29500', '29500'],
    ['LONGER', 'a:295001', 'a:295001'],
    ['VERSION', 'v:29500.1', 'v:29500.1'],
    ['PORT', '8080', '8080'],
  ])('%s=%s', (name, value, mapped) => {
    expect(mapPortsInEnv(new Map([[name, value]]), map)).toEqual(new Map([[name, mapped]]))
  })

  it('follows flags in all spellings', () => {
    const argv = ['torchrun', '--master_port', '29500', '--rdzv=h:29500', '--batch', '29500', '-c', 'x --port=80 29500']
    expect(mapPortsInArgv(argv, map)).toEqual([
      'torchrun',
      '--master_port',
      '21000',
      '--rdzv=h:21000',
      '--batch',
      '29500',
      '-c',
      'x --port=21001 29500',
    ])
  })
})
