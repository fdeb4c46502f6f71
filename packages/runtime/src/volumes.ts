import type { Container, PodSpec, Volume, VolumeMount } from '@trainjob/api'
import { upsert } from './upsert.ts'

/** Puts volumes into a pod, in place of those with the same name. Replaces `podSpec.volumes`. */
export function upsertVolumes(podSpec: PodSpec, volumes: readonly Volume[]): void {
  const merged = podSpec.volumes === undefined ? [] : podSpec.volumes.slice()
  upsert(merged, volumes, ({ name }) => name)
  podSpec.volumes = merged
}

/** Puts mounts into a container, in place of those at the same path. Replaces `container.volumeMounts`. */
export function upsertVolumeMounts(container: Container, mounts: readonly VolumeMount[]): void {
  const merged = container.volumeMounts === undefined ? [] : container.volumeMounts.slice()
  upsert(merged, mounts, ({ mountPath }) => mountPath)
  container.volumeMounts = merged
}
