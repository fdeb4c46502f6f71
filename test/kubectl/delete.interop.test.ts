import { beforeAll, describe, expect, it } from 'vitest'
import { describeKubectl } from './describe-kubectl.ts'
import type { Kubectl } from './kubectl.ts'
import { held, pod, trainJob } from './samples.ts'

describeKubectl('waits and deletes', ({ inNamespace }) => {
  describe('wait and delete', () => {
    let kubectl: Kubectl
    beforeAll(async () => {
      kubectl = await inNamespace('del')
    })

    it('wait for conditions, values and ends', async () => {
      await kubectl.send(['apply'], trainJob('quick', 'echo done', { nodes: 2 }))
      expect(await kubectl('wait', '--for=condition=Complete', 'trainjob/quick', '--timeout=30s')).toBe(
        'trainjob.trainer.kubeflow.org/quick condition met\n',
      )
      expect((await kubectl.rows('get', 'pods', '--no-headers')).every((row) => / Completed /.test(row))).toBe(true)
      expect(
        (await kubectl.fails('wait', '--for=condition=Failed', 'trainjob/quick', '--timeout=1s')).stderr,
      ).toContain('timed out waiting for the condition on trainjobs/quick')
      const gone = kubectl('wait', '--for=delete', 'trainjob/quick', '--timeout=30s')
      await kubectl('delete', 'trainjob', 'quick')
      await gone
      // what it owned goes behind it
      await kubectl('wait', '--for=delete', 'pods', '--all', '--timeout=30s')
    })

    it.each(['foreground', 'background', 'orphan'])('deletes with --cascade=%s', async (cascade) => {
      const name = `c-${cascade}`
      await kubectl.send(['apply'], held(name))
      await kubectl('wait', '--for=create', `jobset/${name}`, '--timeout=20s')
      expect(await kubectl('delete', 'trainjob', name, `--cascade=${cascade}`)).toContain(
        `trainjob.trainer.kubeflow.org "${name}" deleted`,
      )
      if (cascade === 'background') await kubectl('wait', '--for=delete', `jobset/${name}`, '--timeout=20s')
      const left = await kubectl(
        'get',
        'jobset',
        name,
        '--ignore-not-found',
        '-o',
        'jsonpath={.metadata.ownerReferences}{.kind}',
      )
      expect(left).toBe(cascade === 'orphan' ? 'JobSet' : '')
    })

    it('deletes pods in grace, at once, by label and in dry run', async () => {
      await kubectl.send(['apply'], pod('p', { a: 'sleep 100' }))
      await kubectl('wait', '--for=condition=Ready', 'pod/p', '--timeout=30s')
      expect(await kubectl('delete', 'pod', 'p', '--dry-run=server')).toContain('(server dry run)')
      expect(await kubectl('delete', 'pod', 'p', '--now')).toContain('pod "p" deleted')
      await kubectl.send(['apply'], pod('q', { a: 'trap "" TERM; sleep 100 & wait; wait' }))
      const forced = await kubectl.run(['delete', 'pods', '-l', 'pod=q', '--force', '--grace-period=0'])
      expect(forced.stdout).toContain('pod "q" force deleted')
      expect((await kubectl.fails('delete', 'pod', 'p')).stderr).toContain('pods "p" not found')
    })

    it('deletes a namespace with all that is in it', async () => {
      const other = await inNamespace('doomed')
      await other.send(['apply'], held('a'))
      expect(await kubectl('delete', 'namespace', 'doomed')).toContain('namespace "doomed" deleted')
      expect((await other.run(['get', 'trainjobs,jobsets,jobs'])).stderr).toBe(
        'No resources found in doomed namespace.\n',
      )
    })
  })
})
