import { ConfigMaps, Pods, Secrets } from '@trainjob/api'
import type { Resource } from '@trainjob/kube'
import { afterEach, describe, expect, it } from 'vitest'
import { inPhase, shell, type TestNode, testNode } from '../testing/test-node.ts'

let node: TestNode | undefined
afterEach(async () => {
  await node?.close()
  node = undefined
})

const ServiceAccounts: Resource = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
}
const at = (name: string) => ({ namespace: 'default', name })

/** Prints a file each time it changes. */
const TAIL = (file: string) =>
  shell(`while :; do now=$(cat ${file} 2>&1); [ "$now" = "$last" ] || { last=$now; echo "$now"; }; sleep 0.02; done`, {
    volumeMounts: [{ name: 'v', mountPath: '/tj-files' }],
  })

describe('the files of a volume', () => {
  it('of a ConfigMap follow it, and stay when it goes', async () => {
    node = await testNode()
    const { client } = node
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...at('c') }, data: { rate: 'low' } } as const
    await client.create(ConfigMaps, map)
    await node.run('p', { volumes: [{ name: 'v', configMap: { name: 'c' } }], containers: TAIL('/tj-files/rate') })
    await expect.poll(() => node?.logs('p')).toBe('low\n')
    await client.patch(ConfigMaps, at('c'), { type: 'merge', body: { data: { rate: 'high' } } })
    await expect.poll(() => node?.logs('p')).toBe('low\nhigh\n')
    await client.delete(ConfigMaps, at('c'))
    await client.create(ConfigMaps, { ...map, data: { rate: 'again' } })
    await expect.poll(() => node?.logs('p')).toBe('low\nhigh\nagain\n')
  })

  it('of a Secret that is optional come with it', async () => {
    node = await testNode()
    const source = { secretName: 's', optional: true }
    await node.run('p', { volumes: [{ name: 'v', secret: source }], containers: TAIL('/tj-files/key') })
    await expect.poll(() => node?.logs('p')).toMatch(/No such file/)
    await node.client.create(Secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: at('s'),
      stringData: { key: 'k1' },
    })
    await expect.poll(() => node?.logs('p')).toMatch(/\nk1\n$/)
  })

  it('of the downward API follow labels and annotations', async () => {
    node = await testNode()
    const items = [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }]
    await node.run(
      'p',
      { volumes: [{ name: 'v', downwardAPI: { items } }], containers: TAIL('/tj-files/labels') },
      { ...at('p'), labels: { a: '1' } },
    )
    await expect.poll(() => node?.logs('p')).toBe('a="1"\n')
    await node.client.patch(Pods, at('p'), { type: 'merge', body: { metadata: { labels: { a: '2' } } } })
    await expect.poll(() => node?.logs('p')).toBe('a="1"\na="2"\n')
  })

  it('are missing until everything that they need is there', async () => {
    node = await testNode()
    await node.run('p', {
      volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }],
      containers: shell('true', { volumeMounts: [{ name: 'v', mountPath: '/tj-files' }] }),
    })
    const waiting = await node.until(
      'p',
      (pod) => pod.status?.containerStatuses?.[0]?.state?.waiting?.message !== undefined,
    )
    expect(waiting.status?.containerStatuses?.[0]?.state?.waiting?.message).toContain(
      'serviceaccounts "default" not found',
    )
    await node.client.create(ServiceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: at('default') })
    await node.until('p', inPhase('Succeeded'))
  })

  it('hold a token of the account, for whom it is and until when', async () => {
    node = await testNode()
    await node.client.create(ServiceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: at('trainer') })
    const wish = { path: 'token', audience: 'status.example', expirationSeconds: 700 }
    await node.run('p', {
      serviceAccountName: 'trainer',
      volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: wish }] } }],
      containers: shell('cat /tj-files/token; ls -lL /tj-files/token | cut -c1-10 >&2', {
        volumeMounts: [{ name: 'v', mountPath: '/tj-files' }],
      }),
    })
    const pod = await node.until('p', inPhase('Succeeded'))
    const [, body = ''] = (await node.logs('p')).split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    expect(claims).toMatchObject({
      aud: ['status.example'],
      sub: 'system:serviceaccount:default:trainer',
      'kubernetes.io': { pod: { name: 'p', uid: pod.metadata.uid }, serviceaccount: { name: 'trainer' } },
    })
    expect(claims.exp - claims.iat).toBe(700)
    expect(await node.logs('p')).toContain('-rw-------')
  })
})
