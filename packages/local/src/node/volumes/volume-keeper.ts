import { ConfigMaps, type Pod, Secrets, type Volume } from '@trainjob/api'
import { type Client, type Clock, createInformer, type KubeObject, type Resource } from '@trainjob/kube'

/** Keeps the files of pods' volumes as the cluster has them. */
export interface VolumeKeeper {
  /** From now on. */
  keep(pod: Pod): void
  /** The API server has a newer state of a pod that is kept. */
  update(pod: Pod): void
  /** Something that no watch tells has changed for a pod. */
  refresh(uid: string): void
  /** No longer. */
  release(uid: string): void
  /** Resolves when the signal has aborted and nothing is being written. */
  run(signal: AbortSignal): Promise<void>
}

export interface VolumeKeeperOptions {
  readonly client: Client
  readonly clock: Clock
  /** Writes a pod's volumes anew. */
  readonly write: (pod: Pod, signal: AbortSignal) => Promise<void>
  readonly onNote: (note: string) => void
}

export function createVolumeKeeper({ client, clock, write, onNote }: VolumeKeeperOptions): VolumeKeeper {
  const pods = new Map<string, Pod>()
  /** Uids of pods by the object that they have files of. */
  const readers = new Map<string, Set<string>>()
  const watched = new Set<string>()
  const busy = new Set<Promise<void>>()
  let running: AbortSignal | undefined

  function doing(work: Promise<void>): void {
    const settled = work.catch((error: Error) => {
      if (running?.aborted !== true) onNote(`files of a volume could not be kept up to date: ${error.message}`)
    })
    busy.add(settled)
    void settled.finally(() => busy.delete(settled))
  }

  function refresh(uid: string): void {
    const pod = pods.get(uid)
    if (pod !== undefined && running !== undefined && !running.aborted) doing(write(pod, running))
  }

  /** Most nodes never need it: nobody watches before there is a pod that reads such objects. */
  function watch(resource: Resource<KubeObject>): void {
    if (running === undefined || watched.has(resource.plural)) return
    watched.add(resource.plural)
    const informer = createInformer({ client, clock, resource })
    informer.on(({ type, object: { metadata } }) => {
      // what is gone stays in the volumes, as with a kubelet
      if (type === 'deleted') return
      for (const uid of readers.get(keyOf(resource, metadata.namespace, metadata.name)) ?? []) refresh(uid)
    })
    doing(informer.run(running))
  }

  function sources(pod: Pod): [Resource<KubeObject>, string][] {
    return (pod.spec.volumes ?? []).flatMap(sourcesOf)
  }

  return {
    refresh,
    keep(pod) {
      const uid = pod.metadata.uid ?? ''
      const read = sources(pod)
      if (read.length === 0 && !hasFiles(pod)) return
      pods.set(uid, pod)
      for (const [resource, name] of read) {
        const key = keyOf(resource, pod.metadata.namespace, name)
        readers.set(key, (readers.get(key) ?? new Set()).add(uid))
        watch(resource)
      }
    },
    update(pod) {
      const uid = pod.metadata.uid ?? ''
      const before = pods.get(uid)
      if (before === undefined) return
      pods.set(uid, pod)
      const said = ({ metadata: { labels, annotations } }: Pod) => JSON.stringify([labels, annotations])
      if (said(before) !== said(pod)) refresh(uid)
    },
    release(uid) {
      const pod = pods.get(uid)
      if (pod === undefined) return
      pods.delete(uid)
      for (const [resource, name] of sources(pod)) {
        const key = keyOf(resource, pod.metadata.namespace, name)
        const left = readers.get(key)
        left?.delete(uid)
        if (left?.size === 0) readers.delete(key)
      }
    },
    async run(signal) {
      running = signal
      for (const pod of pods.values()) for (const [resource] of sources(pod)) watch(resource)
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      while (busy.size > 0) await Promise.all(busy)
    },
  }
}

/** ConfigMaps and Secrets of a volume, by name. */
function sourcesOf({ configMap, secret, projected }: Volume): [Resource<KubeObject>, string][] {
  const found: [Resource<KubeObject>, string][] = []
  const add = (resource: Resource<never>, name: string | undefined): void => {
    if (name) found.push([resource, name])
  }
  add(ConfigMaps as Resource<never>, configMap?.name)
  add(Secrets as Resource<never>, secret?.secretName)
  for (const source of projected?.sources ?? []) {
    add(ConfigMaps as Resource<never>, source.configMap?.name)
    add(Secrets as Resource<never>, source.secret?.name)
  }
  return found
}

function hasFiles({ spec }: Pod): boolean {
  return (spec.volumes ?? []).some(({ downwardAPI, projected }) => downwardAPI !== undefined || projected !== undefined)
}

function keyOf({ plural }: Resource<KubeObject>, namespace = 'default', name = ''): string {
  return `${plural}/${namespace}/${name}`
}
