import type { JobSetSpec } from '@trainjob/api'
import type { KubeObject } from '@trainjob/kube'
import { jobSet, replicated, template } from '../objects.ts'
import type { Scenario } from '../scenario.ts'

const pair = [replicated('main', { replicas: 2 })]

/** Its pods mount the claim below. */
const mounted = replicated(
  'main',
  {},
  {
    template: {
      spec: {
        restartPolicy: 'Never',
        containers: [{ name: 'main', image: 'image', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      },
    },
  },
)

/** The same, on certain nodes. */
function moved(name: string) {
  const spec = {
    restartPolicy: 'Never' as const,
    containers: [{ name: 'main', image: 'image' }],
    nodeSelector: { zone: 'a' },
  }
  return replicated(name, {}, { completionMode: 'Indexed', template: { metadata: { labels: { queue: 'b' } }, spec } })
}

function claim(whenDeleted?: 'Retain'): Pick<JobSetSpec, 'volumeClaimPolicies'> {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' }
  const templates = [{ metadata: { name: 'data' }, spec }]
  return { volumeClaimPolicies: [{ templates, ...(whenDeleted && { retentionPolicy: { whenDeleted } }) }] }
}

/** A claim that somebody has made. */
function existing(name: string, storage: string): KubeObject {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, volumeMode: 'Filesystem' }
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name }, spec } as KubeObject
}

/** `suspend`, `ttlSecondsAfterFinished`, `managedBy`, `network`, `coordinator`, volume claims, deletion. */
export const jobSetLife: readonly Scenario[] = [
  {
    name: 'a JobSet makes Jobs, pods and a Service, and completes with them',
    steps: [
      { create: jobSet('simple', [replicated('main', {}, { completions: 2, parallelism: 2 })]) },
      { pods: { job: 'simple-main-0' }, become: 'running' },
      { pods: { job: 'simple-main-0' }, become: 'ready' },
      { pods: { job: 'simple-main-0', indexes: [0] }, become: 'succeeded' },
      { pods: { job: 'simple-main-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a JobSet that is created suspended starts when it is resumed',
    steps: [
      { create: jobSet('later', pair, { suspend: true }) },
      { patch: 'JobSet/later', body: { spec: { suspend: false } } },
      { pods: { job: 'later-main-0' }, become: 'succeeded' },
      { pods: { job: 'later-main-1' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a running JobSet is suspended and resumed',
    steps: [
      { create: jobSet('pause', pair) },
      { pods: { job: 'pause-main-0' }, become: 'ready' },
      { pods: { job: 'pause-main-1' }, become: 'succeeded' },
      { patch: 'JobSet/pause', body: { spec: { suspend: true } } },
      { pods: { job: 'pause-main-0', terminating: true }, become: 'gone' },
      { patch: 'JobSet/pause', body: { spec: { suspend: false } } },
      { pods: { job: 'pause-main-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'suspended and resumed twice',
    steps: [
      { create: jobSet('twice', pair) },
      { patch: 'JobSet/twice', body: { spec: { suspend: true } } },
      { pods: { job: 'twice-main-0', terminating: true }, become: 'gone' },
      { pods: { job: 'twice-main-1', terminating: true }, become: 'gone' },
      { patch: 'JobSet/twice', body: { spec: { suspend: false } } },
      { patch: 'JobSet/twice', body: { spec: { suspend: true } } },
      { pods: { job: 'twice-main-0', terminating: true }, become: 'gone' },
      { pods: { job: 'twice-main-1', terminating: true }, become: 'gone' },
      { patch: 'JobSet/twice', body: { spec: { suspend: false } } },
    ],
  },
  {
    name: 'a suspended JobSet takes on where its pods go, and is resumed with it',
    steps: [
      { create: jobSet('place', [replicated('main')], { suspend: true }) },
      {
        patch: 'JobSet/place',
        body: {
          spec: {
            replicatedJobs: [
              {
                ...replicated('main'),
                template: {
                  spec: {
                    completionMode: 'Indexed',
                    completions: 1,
                    parallelism: 1,
                    backoffLimit: 0,
                    template: template('Never', {
                      metadata: { labels: { queue: 'a' }, annotations: { note: 'b' } },
                      spec: {
                        restartPolicy: 'Never',
                        containers: [{ name: 'main', image: 'image' }],
                        nodeSelector: { zone: 'a' },
                        tolerations: [{ key: 'd', operator: 'Exists' }],
                      },
                    }),
                  },
                },
              },
            ],
          },
        },
      },
      { patch: 'JobSet/place', body: { spec: { suspend: false } } },
    ],
  },
  {
    name: 'a JobSet that ran is resumed elsewhere while its old pods still end',
    steps: [
      { create: jobSet('move', [replicated('main')]) },
      { pods: { job: 'move-main-0' }, become: 'ready' },
      { patch: 'JobSet/move', body: { spec: { suspend: true } } },
      { patch: 'JobSet/move', body: { spec: { suspend: false, replicatedJobs: [moved('main')] } } },
      { pods: { job: 'move-main-0', terminating: true }, become: 'gone' },
      { pods: { job: 'move-main-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a JobSet that ran is resumed elsewhere',
    steps: [
      { create: jobSet('move', [replicated('main')]) },
      { pods: { job: 'move-main-0' }, become: 'ready' },
      { patch: 'JobSet/move', body: { spec: { suspend: true } } },
      { pods: { job: 'move-main-0', terminating: true }, become: 'gone' },
      { patch: 'JobSet/move', body: { spec: { replicatedJobs: [moved('main')] } } },
      { patch: 'JobSet/move', body: { spec: { suspend: false } } },
    ],
  },
  {
    name: 'the template of a running JobSet stays as it is',
    steps: [
      { create: jobSet('fixed', [replicated('main')]) },
      { patch: 'JobSet/fixed', body: { spec: { replicatedJobs: [replicated('other')] } } },
      { patch: 'JobSet/fixed', body: { spec: { network: { subdomain: 'other' } } } },
      { patch: 'JobSet/fixed', body: { spec: { managedBy: 'example.com/other' } } },
    ],
  },
  {
    name: 'a failure after a suspension',
    steps: [
      { create: jobSet('fails', pair, { suspend: true }) },
      { patch: 'JobSet/fails', body: { spec: { suspend: false } } },
      { pods: { job: 'fails-main-0' }, become: { exitCode: 1 } },
      { patch: 'JobSet/fails', body: { spec: { suspend: true } } },
    ],
  },
  {
    name: 'a completed JobSet can be suspended without effect',
    steps: [
      { create: jobSet('done', [replicated('main')]) },
      { pods: { job: 'done-main-0' }, become: 'succeeded' },
      { patch: 'JobSet/done', body: { spec: { suspend: true } } },
    ],
  },
  {
    name: 'a JobSet with a time to live of 0 is deleted when it completes',
    steps: [
      { create: jobSet('ttl', [replicated('main')], { ttlSecondsAfterFinished: 0 }) },
      { pods: { job: 'ttl-main-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a JobSet with a time to live of 0 is deleted when it fails',
    steps: [
      { create: jobSet('ttl', [replicated('main')], { ttlSecondsAfterFinished: 0 }) },
      { pods: { job: 'ttl-main-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'the time to live may be shortened afterwards',
    steps: [
      { create: jobSet('ttl', [replicated('main')], { ttlSecondsAfterFinished: 3600 }) },
      { pods: { job: 'ttl-main-0' }, become: 'succeeded' },
      { patch: 'JobSet/ttl', body: { spec: { ttlSecondsAfterFinished: 0 } } },
    ],
  },
  {
    name: 'a suspended JobSet has no time to live',
    steps: [
      { create: jobSet('idle', [replicated('main')], { ttlSecondsAfterFinished: 0, suspend: true }) },
      { patch: 'JobSet/idle', body: { spec: { suspend: false } } },
      { pods: { job: 'idle-main-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a JobSet of somebody else is left alone',
    steps: [
      { create: jobSet('theirs', [replicated('main')], { managedBy: 'example.com/other' }) },
      { patch: 'JobSet/theirs', body: { spec: { suspend: true } } },
      { delete: 'JobSet/theirs' },
    ],
  },
  {
    name: 'a JobSet of somebody else that was suspended from the start',
    steps: [
      { create: jobSet('theirs', [replicated('main')], { managedBy: 'example.com/other', suspend: true }) },
      { patch: 'JobSet/theirs', body: { spec: { suspend: false } } },
    ],
  },
  {
    name: 'a JobSet that names its own controller is run',
    steps: [
      { create: jobSet('ours', [replicated('main')], { managedBy: 'jobset.sigs.k8s.io/jobset-controller' }) },
      { pods: { job: 'ours-main-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'network: another subdomain',
    steps: [
      {
        create: jobSet('named', [replicated('main')], {
          network: { subdomain: 'elsewhere', publishNotReadyAddresses: false },
        }),
      },
      { delete: 'JobSet/named', propagationPolicy: 'Foreground' },
      { pods: { job: 'named-main-0', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'network: no host names',
    steps: [
      { create: jobSet('nameless', [replicated('main')], { network: { enableDNSHostnames: false } }) },
      { pods: { job: 'nameless-main-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'network: another subdomain is made for a JobSet that waits, and serves it when it is resumed',
    steps: [
      { create: jobSet('waits', [replicated('main')], { suspend: true, network: { subdomain: 'elsewhere' } }) },
      { patch: 'JobSet/waits', body: { spec: { suspend: false } } },
      { pods: { job: 'waits-main-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'network: the Service stays while suspended',
    steps: [
      { create: jobSet('net', [replicated('main')]) },
      { patch: 'JobSet/net', body: { spec: { suspend: true } } },
      { pods: { job: 'net-main-0', terminating: true }, become: 'gone' },
      { patch: 'JobSet/net', body: { spec: { suspend: false } } },
    ],
  },
  {
    name: 'network: a subdomain must be a name',
    steps: [
      { create: jobSet('refused', [replicated('main')], { network: { subdomain: 'Not_A.Name' } }) },
      { create: jobSet('refused', [replicated('main')], { network: { subdomain: '9lives' } }) },
    ],
  },
  {
    name: 'coordinator: everybody learns its address',
    steps: [
      {
        create: jobSet('lead', [replicated('main', { replicas: 2 }, { completions: 2, parallelism: 2 })], {
          coordinator: { replicatedJob: 'main', jobIndex: 1, podIndex: 1 },
        }),
      },
    ],
  },
  {
    name: 'coordinator: it is told anew with a restart, and while suspended',
    steps: [
      {
        create: jobSet('lead', [replicated('main')], {
          coordinator: { replicatedJob: 'main' },
          failurePolicy: { maxRestarts: 1 },
          suspend: true,
        }),
      },
      { patch: 'JobSet/lead', body: { spec: { suspend: false } } },
      { pods: { job: 'lead-main-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'coordinator must be a pod that there is',
    steps: [
      { create: jobSet('refused', [replicated('main')], { coordinator: { replicatedJob: 'nobody' } }) },
      { create: jobSet('refused', [replicated('main')], { coordinator: { replicatedJob: 'main', jobIndex: 1 } }) },
      { create: jobSet('refused', [replicated('main')], { coordinator: { replicatedJob: 'main', podIndex: 1 } }) },
    ],
  },
  {
    name: 'groups and indexes are counted over all replicated jobs',
    steps: [
      {
        create: jobSet('groups', [
          replicated('a', { replicas: 2, groupName: 'one' }),
          replicated('b', { groupName: 'two' }),
          replicated('c', { replicas: 2, groupName: 'one' }),
        ]),
      },
    ],
  },
  {
    name: 'metadata of the templates is handed on',
    steps: [
      {
        create: jobSet('meta', [
          replicated('main', {
            template: {
              metadata: { labels: { tier: 'job' }, annotations: { note: 'job' } },
              spec: {
                completions: 1,
                parallelism: 1,
                template: template('OnFailure', {
                  metadata: { labels: { tier: 'pod' }, annotations: { note: 'pod' } },
                }),
              },
            },
          }),
        ]),
      },
      { pods: { job: 'meta-main-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'volume claims: one is shared by all pods and goes with the JobSet',
    // no pod asks for the volumes, which nobody would provide
    steps: [{ create: jobSet('disk', [mounted], { suspend: true, ...claim() }) }, { delete: 'JobSet/disk' }],
  },
  {
    name: 'volume claims: one that is to be kept stays, and is used again',
    steps: [
      { create: jobSet('disk', [mounted], { suspend: true, ...claim('Retain') }) },
      { delete: 'JobSet/disk' },
      { create: jobSet('disk', [mounted], { suspend: true, ...claim('Retain') }) },
    ],
  },
  {
    name: 'volume claims: one that is there already must be what is asked for, and be kept',
    steps: [
      { create: existing('data-refused', '2Gi') },
      { create: jobSet('refused', [mounted], { suspend: true, ...claim('Retain') }) },
      { create: existing('data-disk', '1Gi') },
      { create: jobSet('disk', [mounted], { suspend: true, ...claim() }) },
      { create: jobSet('disk', [mounted], { suspend: true, ...claim('Retain') }) },
      { delete: 'JobSet/disk' },
    ],
  },
  {
    name: 'volume claims: one that was deleted is made again by the next JobSet',
    steps: [
      { create: jobSet('disk', [mounted], { suspend: true, ...claim('Retain') }) },
      { delete: 'JobSet/disk' },
      { delete: 'PersistentVolumeClaim/data-disk' },
      { create: jobSet('disk', [mounted], { suspend: true, ...claim() }) },
    ],
  },
  {
    name: 'volume claims must be mounted and have names',
    steps: [
      { create: jobSet('refused', [replicated('main')], claim()) },
      { create: jobSet('refused', [mounted], { volumeClaimPolicies: [{ templates: [{}] }] }) },
      { create: jobSet('kept', [mounted], { suspend: true, ...claim() }) },
      { patch: 'JobSet/kept', body: { spec: { volumeClaimPolicies: null } } },
    ],
  },
  {
    name: 'groups: a restart keeps them',
    steps: [
      {
        create: jobSet('regroup', [replicated('a', { groupName: 'x' }), replicated('b', { groupName: 'x' })], {
          failurePolicy: { maxRestarts: 1 },
        }),
      },
      { pods: { job: 'regroup-a-0' }, become: { exitCode: 1 } },
      { pods: { job: 'regroup-b-0', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'groups: their names are names',
    steps: [
      { create: jobSet('refused', [replicated('a', { groupName: 'Not_A.Name' })]) },
      { create: jobSet('idle', [replicated('a', { groupName: 'x' })], { suspend: true }) },
      { patch: 'JobSet/idle', body: { spec: { replicatedJobs: [replicated('a', { groupName: 'y' })] } } },
    ],
  },
  {
    name: 'a JobSet that is deleted in the foreground waits for its pods',
    steps: [
      { create: jobSet('gone', pair) },
      { pods: { job: 'gone-main-0' }, become: 'ready' },
      { delete: 'JobSet/gone', propagationPolicy: 'Foreground' },
      { pods: { job: 'gone-main-0', terminating: true }, become: 'gone' },
      { pods: { job: 'gone-main-1', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'a JobSet that is deleted leaves its Jobs alone if it is told to',
    steps: [
      { create: jobSet('orphans', [replicated('main')]) },
      { delete: 'JobSet/orphans', propagationPolicy: 'Orphan' },
    ],
  },
]
