import { spawnSync } from 'node:child_process'
import { type ConfigMap, FLUX_REPLICAS_ANNOTATION, type JobSet, type Secret, type TrainJobSpec } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { render } from '../../render.ts'
import { aJob, aRuntime, aTrainJob, containerOf, jobSetOf } from '../../testing/objects.ts'
import type { RenderOptions } from '../../types.ts'

interface Made {
  readonly scripts: Record<string, string>
  readonly secret: Secret
  readonly jobSet: JobSet
}

function made(trainer: TrainJobSpec['trainer'], options: RenderOptions = {}, container = {}): Made {
  const runtime = aRuntime({ numNodes: 1, flux: {} }, { replicatedJobs: [aJob(container)] })
  const { objects } = render(aTrainJob({ ...(trainer && { trainer }) }), runtime, options)
  return {
    scripts: (objects[0] as ConfigMap).data ?? {},
    secret: objects[1] as Secret,
    jobSet: jobSetOf(objects),
  }
}

describe('flux', () => {
  it.each<[string, TrainJobSpec['trainer'], Record<string, unknown>, string]>([
    ['of the job', { numNodes: 1, command: ['python', 'train.py'], args: ['--lr', '1'] }, {}, 'python train.py --lr 1'],
    ['of the runtime', { numNodes: 1 }, { command: ['lmp'], args: ['-x'] }, 'lmp'],
    ['that is none', { numNodes: 1 }, {}, ''],
    ['without spec.trainer', undefined, { command: ['lmp'] }, 'lmp'],
  ])('wraps the command %s', (_, trainer, container, expected) => {
    const { jobSet } = made(trainer, {}, container)
    expect(containerOf([jobSet]).command).toEqual(['/bin/bash', '/etc/flux-config/entrypoint.sh', expected])
  })

  it('installs Flux by an init container, from the image that a variable names', () => {
    const image = { name: 'FLUX_VIEW_IMAGE', value: 'view:rocky' }
    const images = [
      made({ numNodes: 1 }),
      made({ numNodes: 1 }, {}, { env: [image] }),
      made({ numNodes: 1, env: [image] }),
    ].map(({ jobSet }) => containerOf([jobSet], 'flux-installer').image)
    expect(images).toEqual(['ghcr.io/converged-computing/flux-view-ubuntu:tag-jammy', 'view:rocky', 'view:rocky'])
  })

  it('counts hosts, processes and GPUs', () => {
    const { scripts } = made({
      numNodes: 4,
      numProcPerNode: 2,
      resourcesPerNode: { limits: { 'nvidia.com/gpu': 2 } },
      env: [{ name: 'FLUX_NETWORK_DEVICE', value: 'eth1' }],
    })
    expect(scripts['init.sh']).toContain('host = "job-node-0-[0-3]"')
    expect(scripts['init.sh']).toContain('default_bind = "tcp://eth1:%p"')
    expect(scripts['init.sh']).toContain('default_connect = "tcp://%h.job.ns.svc.cluster.local:%p"')
    expect(scripts['entrypoint.sh']).toContain('flux run -N 4 -n 8 -g 2 $command')
    expect(scripts['entrypoint.sh']).toContain('--cores=0-1 --gpu=0-1')
  })

  it.each([
    [4, 4, []],
    [1, 2, ['nodes-out-of-bounds']],
    [20, 16, ['nodes-out-of-bounds']],
  ])('has brokers within bounds: asked for %s, %s pods', (numNodes, count, codes) => {
    const runtime = aRuntime({ numNodes: 1, flux: {} })
    const annotations = { [FLUX_REPLICAS_ANNOTATION]: '2:16' }
    const bounded = { ...runtime, metadata: { ...runtime.metadata, annotations } }
    const { objects, podSets, warnings } = render(aTrainJob({ trainer: { numNodes, command: ['lmp'] } }), bounded)
    expect(podSets).toMatchObject([{ count }])
    expect(warnings.map(({ code }) => code)).toEqual(codes)
    const { data } = objects[0] as ConfigMap
    expect(data?.['init.sh']).toContain('host = "job-node-0-[0-15]"')
    expect(data?.['entrypoint.sh']).toContain('  -Sbroker.quorum=2\n)')
    expect(data?.['entrypoint.sh']).toContain(`flux run -N ${count} -n ${count} $command`)
    expect(spawnSync('bash', ['-n'], { input: data?.['entrypoint.sh'] ?? '' }).status).toBe(0)
  })

  it('begins with all brokers where nothing is said of bounds', () => {
    expect(made({ numNodes: 2 }).scripts['entrypoint.sh']).not.toContain('quorum')
  })

  it.each(['init.sh', 'entrypoint.sh'])('writes %s as a script that bash can read', (name) => {
    const { scripts } = made({ numNodes: 2 })
    const { stderr, status } = spawnSync('bash', ['-n'], { input: scripts[name] ?? '' })
    expect({ stderr: stderr.toString(), status }).toEqual({ stderr: '', status: 0 })
  })

  it('has a certificate that follows from the uid', () => {
    const keys = { curve: (uid: string) => ({ publicKey: `public of ${uid}`, secretKey: `secret of ${uid}` }) }
    const certificate = atob(made({ numNodes: 1 }, { keys }).secret.data?.['curve.cert'] ?? '')
    expect(certificate).toContain('public-key = "public of u-1"')
    expect(certificate).toContain('secret-key = "secret of u-1"')
  })
})
