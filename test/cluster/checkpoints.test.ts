import { ClusterTrainingRuntimes } from '@trainjob/api'
import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { readAll } from './log-reading.ts'
import { runtime, trainJob } from './train-job.ts'

/** Trains six epochs, from the last checkpoint on; breaks once in the middle if it is told to. */
const TRAIN = `
  epoch=$(cat /ckpt/epoch 2>/dev/null || echo 0)
  echo "from $epoch"
  while [ "$epoch" -lt 6 ]; do
    epoch=$((epoch + 1))
    echo $epoch > /ckpt/epoch
    if [ "$epoch" = "$BREAK" ]; then exit 1; fi
  done
  echo "trained $epoch"`

describeCluster('a checkpoint in a claim', (cluster) => {
  const withClaim = async (name: string): Promise<void> => {
    const container = { name: 'node', image: 'busybox', volumeMounts: [{ name: 'ckpt', mountPath: '/ckpt' }] }
    await cluster.client.create(
      ClusterTrainingRuntimes,
      runtime(name, {
        backoffLimit: 0,
        jobSet: { failurePolicy: { maxRestarts: 1 } },
        pod: {
          // a node would start the container again before the job is told that it failed
          restartPolicy: 'Never',
          containers: [container],
          volumes: [{ name: 'ckpt', persistentVolumeClaim: { claimName: name } }],
        },
      }),
    )
  }

  it('is where a restarted job goes on', async () => {
    await withClaim('restarted')
    const run = await cluster.trainer.submit(
      trainJob('restarted', { runtime: 'restarted', script: TRAIN, env: { BREAK: '3' } }),
    )
    const [lines, outcome] = await Promise.all([readAll(run.logs()), run.wait()])
    expect(outcome.kind).toBe('complete')
    expect(lines).toEqual(['node-0: from 0', 'node-0: from 3', 'node-0: trained 6'])
  })

  it('is where the next job of that claim goes on', async () => {
    await withClaim('next')
    const submit = async (name: string): Promise<readonly string[]> => {
      const run = await cluster.trainer.submit(
        trainJob(name, {
          runtime: 'next',
          script: TRAIN.replace('-lt 6', '-lt $EPOCHS'),
          env: { EPOCHS: '4', BREAK: '9' },
        }),
      )
      const [lines] = await Promise.all([readAll(run.logs()), run.wait()])
      return lines
    }
    expect(await submit('first')).toEqual(['node-0: from 0', 'node-0: trained 4'])
    expect(await submit('second')).toEqual(['node-0: from 4', 'node-0: trained 4'])
  })
})
