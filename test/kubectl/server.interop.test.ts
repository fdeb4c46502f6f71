import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeKubectl } from './describe-kubectl.ts'
import type { Kubectl } from './kubectl.ts'

describeKubectl('asks the server', ({ inNamespace, inDefault, dir }) => {
  describe('the server', () => {
    let kubectl: Kubectl
    beforeAll(() => {
      kubectl = inDefault()
    })

    it('explains its kinds', async () => {
      const text = await kubectl('explain', 'trainjob.spec.trainer')
      expect(text).toMatch(/^KIND: +TrainJob$/m)
      expect(text).toMatch(/^ {2}numNodes\t<integer>$/m)
      expect(text).toMatch(/^ {2}command\t<\[\]string>$/m)
      expect(await kubectl('explain', 'jobset.spec.failurePolicy')).toContain('enum: Recreate, BlockingRecreate')
      expect(await kubectl('explain', 'pods.spec.containers.env.valueFrom', '--recursive')).toContain('secretKeyRef')
      expect((await kubectl.fails('explain', 'trainjob.spec.nope')).stderr).toContain('field "nope" does not exist')
    })

    it('lists what it serves', async () => {
      const rows = await kubectl.rows('api-resources')
      expect(rows).toContain('trainjobs trainer.kubeflow.org/v1alpha1 true TrainJob')
      expect(rows).toContain('pods po v1 true Pod')
      expect(await kubectl.rows('api-versions')).toEqual(
        expect.arrayContaining(['batch/v1', 'jobset.x-k8s.io/v1alpha2', 'v1']),
      )
      expect((await kubectl.run(['version'])).stdout).toMatch(/Server Version: v1\.36\./)
      expect(await kubectl('get', '--raw', '/readyz')).toBe('ok')
      expect((await kubectl.fails('top', 'pods')).stderr).toBe('error: Metrics API not available\n')
    })

    it('says who may do what', async () => {
      expect(await kubectl('auth', 'can-i', 'create', 'trainjobs')).toBe('yes\n')
      expect((await kubectl.rows('auth', 'can-i', '--list'))[1]).toBe('*.* [] [] [*]')
      expect(await kubectl.rows('auth', 'whoami')).toContain('Username trainjob-admin')
    })

    it('gives out tokens that let their holder in', async () => {
      await kubectl('create', 'serviceaccount', 'worker')
      const token = (await kubectl('create', 'token', 'worker', '--duration=1h')).trim()
      const kubeconfig = path.join(dir(), 'worker')
      const admin = JSON.parse(await kubectl('config', 'view', '--raw', '-o', 'json')) as { users: [{ user: object }] }
      admin.users[0].user = { token }
      await writeFile(kubeconfig, JSON.stringify(admin))
      const env = { KUBECONFIG: kubeconfig }
      const who = await kubectl.run(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'], { env })
      expect(who.stdout).toBe('system:serviceaccount:default:worker')
      await kubectl('delete', 'serviceaccount', 'worker')
      expect((await kubectl.run(['get', 'pods'], { env })).stderr).toContain('You must be logged in to the server')
      expect((await kubectl.fails('create', 'token', 'worker')).stderr).toContain('serviceaccounts "worker" not found')
    })
  })

  describe("kinds of one's own", () => {
    const widgets = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
            subresources: { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    properties: { size: { type: 'integer', minimum: 1, default: 2, description: 'How large it is.' } },
                  },
                },
              },
            },
          },
        ],
      },
    }
    const widget = (spec: object) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec })

    it('are defined, used, explained and scaled', async () => {
      const kubectl = await inNamespace('widgets')
      await kubectl.send(['apply'], widgets)
      await kubectl('wait', '--for=condition=Established', 'crd/widgets.example.com', '--timeout=20s')
      expect(await kubectl.send(['apply'], widget({}))).toBe('widget.example.com/w created\n')
      expect(await kubectl.rows('get', 'wd')).toEqual(['NAME SIZE', 'w 2'])
      expect(await kubectl('explain', 'widget.spec.size')).toContain('How large it is.')
      expect(await kubectl('scale', 'widget', 'w', '--replicas=5')).toContain('scaled')
      expect(await kubectl('get', 'widget', 'w', '-o', 'jsonpath={.spec.size}')).toBe('5')
      const small = await kubectl.run(['apply', '-f', '-'], { input: JSON.stringify(widget({ size: 0 })) })
      expect(small.stderr).toContain('spec.size in body should be greater than or equal to 1')
      const unknown = await kubectl.run(['apply', '--server-side', '-f', '-'], {
        input: JSON.stringify(widget({ bogus: 1 })),
      })
      expect(unknown.stderr).toContain('.spec.bogus: field not declared in schema')
      await kubectl('delete', 'crd', 'widgets.example.com')
      // kubectl remembers what was served
      expect((await kubectl.fails('get', 'widgets')).stderr).toContain(
        'the server could not find the requested resource',
      )
    })
  })

  it('explains each kind that is served', async () => {
    const kubectl = inDefault()
    for (const row of (await kubectl('api-resources', '--no-headers')).trim().split('\n')) {
      const columns = row.split(/ +/)
      // by the version: kubectl takes the group of events.events.k8s.io for fields of the core group's events
      const [name = '', apiVersion = ''] = [columns[0], columns.at(-3)]
      expect(await kubectl('explain', name, `--api-version=${apiVersion}`), row).toMatch(/^KIND: /m)
    }
  })

  it('refuses what is not served in a few words', async () => {
    const kubectl = inDefault()
    const words: readonly (readonly [string, ...string[]])[] = [
      ['error: Metrics API not available', 'top', 'nodes'],
      ['the server doesn\'t have a resource type "deployment"', 'rollout', 'restart', 'deployment/x'],
      ['the server doesn\'t have a resource type "certificatesigningrequests"', 'certificate', 'approve', 'x'],
      ['the server could not find the requested resource', 'create', 'deployment', 'x', '--image=y'],
    ]
    for (const [said, ...args] of words) expect((await kubectl.fails(...args)).stderr, args.join(' ')).toContain(said)
  })

  it('tells how it is', async () => {
    const kubectl = inDefault()
    expect(await kubectl('get', '--raw', '/readyz?verbose')).toContain('[+]ping ok')
    expect(await kubectl('get', '--raw', '/livez/ping')).toBe('ok')
    expect(await kubectl('get', '--raw', '/metrics')).toContain('apiserver_storage_objects{resource="pods"} 0')
  })
})
