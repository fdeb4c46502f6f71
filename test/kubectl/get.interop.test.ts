import { beforeAll, describe, expect, it } from 'vitest'
import { describeKubectl } from './describe-kubectl.ts'
import type { Kubectl } from './kubectl.ts'
import { configMap, held } from './samples.ts'

describeKubectl('reads', ({ inNamespace }) => {
  describe('get', () => {
    let kubectl: Kubectl
    beforeAll(async () => {
      kubectl = await inNamespace('get')
      await kubectl.send(['apply'], held('a', { app: 'x' }))
      await kubectl.send(['apply'], held('b', { app: 'y' }))
      await kubectl('wait', '--for=condition=Suspended', 'trainjob/a', 'trainjob/b', '--timeout=20s')
    })

    it('prints a table', async () => {
      const [heading, ...rows] = await kubectl.rows('get', 'trainjobs')
      expect(heading).toBe('NAME STATE AGE')
      expect(rows).toEqual([expect.stringMatching(/^a Suspended \d+s$/), expect.stringMatching(/^b Suspended \d+s$/)])
    })

    it('prints a wide table, labels, and all namespaces', async () => {
      expect(await kubectl.rows('get', 'jobset', '-o', 'wide')).toEqual([
        'NAME TERMINALSTATE RESTARTS COMPLETED SUSPENDED AGE',
        expect.stringMatching(/^a 0 true \d+s$/),
        expect.stringMatching(/^b 0 true \d+s$/),
      ])
      expect((await kubectl.rows('get', 'jobs', '-o', 'wide'))[0]).toBe(
        'NAME STATUS COMPLETIONS DURATION AGE CONTAINERS IMAGES SELECTOR',
      )
      expect((await kubectl.rows('get', 'trainjobs', '--show-labels', '-L', 'app'))[1]).toMatch(/ x app=x$/)
      expect(await kubectl.rows('get', 'trainjobs', '-A')).toContainEqual(expect.stringMatching(/^get a Suspended/))
    })

    it('prints the object in every other form', async () => {
      expect(JSON.parse(await kubectl('get', 'trainjob', 'a', '-o', 'json'))).toMatchObject({
        apiVersion: 'trainer.kubeflow.org/v1alpha1',
        kind: 'TrainJob',
        metadata: { name: 'a', namespace: 'get', uid: expect.any(String) },
      })
      expect(await kubectl('get', 'trainjob', 'a', '-o', 'yaml')).toContain('kind: TrainJob\nmetadata:\n')
      expect(await kubectl('get', 'trainjob', 'a', '-o', 'jsonpath={.spec.runtimeRef.name}')).toBe('plain')
      expect(await kubectl('get', 'trainjobs', '-o', 'name')).toBe(
        'trainjob.trainer.kubeflow.org/a\ntrainjob.trainer.kubeflow.org/b\n',
      )
      expect(await kubectl.rows('get', 'trainjobs', '-o', 'custom-columns=N:.metadata.name,S:.spec.suspend')).toEqual([
        'N S',
        'a true',
        'b true',
      ])
    })

    it('selects, sorts and reads in pages', async () => {
      expect(await kubectl.rows('get', 'trainjobs', '-l', 'app in (y, z)', '--no-headers')).toHaveLength(1)
      expect(
        await kubectl.rows('get', 'trainjobs', '--field-selector', 'metadata.name=a', '--no-headers'),
      ).toHaveLength(1)
      expect(await kubectl.rows('get', 'trainjobs', '--chunk-size=1', '--no-headers')).toHaveLength(2)
      const sorted = await kubectl.rows('get', 'trainjobs', '--sort-by=.metadata.labels.app', '-o', 'name')
      expect(sorted).toHaveLength(2)
    })

    it('follows changes', async () => {
      const wanted = /^seen +1 .*\nseen +2 /m
      let ended = false
      const watching = kubectl
        .run(['get', 'configmaps', '-w', '--no-headers'], { until: (text) => wanted.test(text) })
        .finally(() => {
          ended = true
        })
      // whenever the watch opens, there are changes to come
      for (let turn = 0; !ended; turn++) {
        await kubectl.send(['apply'], configMap('seen', turn % 2 === 0 ? { a: '1' } : { a: '1', b: '2' }))
      }
      expect((await watching).stdout).toMatch(wanted)
    })

    it('says what is not there', async () => {
      expect((await kubectl.fails('get', 'trainjob', 'nope')).stderr).toBe(
        'Error from server (NotFound): trainjobs.trainer.kubeflow.org "nope" not found\n',
      )
      expect((await kubectl.fails('get', 'deployments')).stderr).toBe(
        'error: the server doesn\'t have a resource type "deployments"\n',
      )
      expect((await kubectl.fails('get', 'pods', '--field-selector', 'spec.x=1')).stderr).toContain(
        'field label not supported: spec.x',
      )
      expect((await kubectl.run(['get', 'pods'])).stderr).toBe('No resources found in get namespace.\n')
    })
  })
})
