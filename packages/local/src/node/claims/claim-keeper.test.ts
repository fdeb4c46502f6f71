import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pods } from '@trainjob/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type PersistentVolumeClaim, PersistentVolumeClaims } from '../../jobset/volume-claims.ts'
import { inPhase, shell, type TestNode, testNode } from '../testing/test-node.ts'

let node: TestNode
let claimsDir: string
beforeEach(() => {
  claimsDir = mkdtempSync(join(tmpdir(), 'tj-claims-'))
})
afterEach(async () => {
  await node.close()
  rmSync(claimsDir, { recursive: true, force: true })
})

const key = { namespace: 'default', name: 'ckpt' }
const claim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: key,
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}
const uses = (script: string) => ({
  volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'ckpt' } }],
  containers: shell(script, { volumeMounts: [{ name: 'v', mountPath: '/ckpt' }] }),
})

it('binds a claim to a folder of its own', async () => {
  node = await testNode({ claimsDir })
  await node.client.create(PersistentVolumeClaims, claim)
  await expect
    .poll(async () => (await node.client.get(PersistentVolumeClaims, key)) as { status?: object })
    .toMatchObject({ status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } } })
  expect(existsSync(join(claimsDir, 'default/ckpt'))).toBe(true)
})

it('keeps what is in a claim for the next engine, which goes on from there', async () => {
  node = await testNode({ claimsDir })
  await node.run('p', uses('echo epoch 3 > /ckpt/state'))
  await node.until('p', inPhase('Succeeded'))
  await node.close()
  expect(readFileSync(join(claimsDir, 'default/ckpt/state'), 'utf8')).toBe('epoch 3\n')
  node = await testNode({ claimsDir })
  await node.run('p', uses('cat /ckpt/state'))
  await node.until('p', inPhase('Succeeded'))
  expect(await node.logs('p')).toBe('epoch 3\n')
})

it('removes the folder of a deleted claim, but not while a pod uses it', async () => {
  node = await testNode({ claimsDir })
  await node.client.create(PersistentVolumeClaims, claim)
  await node.run('p', { ...uses('exec sleep 100'), terminationGracePeriodSeconds: 0 })
  await node.until('p', inPhase('Running'))
  await node.client.delete(PersistentVolumeClaims, key)
  await node.client.create(Pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name: 'other' },
    spec: { nodeName: 'local', restartPolicy: 'Never', containers: shell('true') },
  })
  await node.until('other', inPhase('Succeeded'))
  expect(existsSync(join(claimsDir, 'default/ckpt'))).toBe(true)
  await node.client.delete(Pods, { namespace: 'default', name: 'p' })
  await node.gone('p')
  await expect.poll(() => existsSync(join(claimsDir, 'default/ckpt'))).toBe(false)
})
