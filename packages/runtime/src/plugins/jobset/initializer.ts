import {
  ANCESTOR_DATASET_INITIALIZER,
  ANCESTOR_MODEL_INITIALIZER,
  type AssetInitializer,
  type Container,
} from '@trainjob/api'
import { renderedEnv, upsertEnv } from '../../env.ts'
import type { Info } from '../../info.ts'
import { STORAGE_URI_ENV } from './constants.ts'

/**
 * `spec.initializer` in the initializer jobs of the runtime, which always have one replica.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/jobset/builder.go (`Initializer`).
 */
export function applyInitializers(info: Info): void {
  const { dataset, model } = info.trainJob.spec.initializer ?? {}
  applyInitializer(info, ANCESTOR_DATASET_INITIALIZER, dataset)
  applyInitializer(info, ANCESTOR_MODEL_INITIALIZER, model)
}

function applyInitializer(info: Info, ancestor: string, asset: AssetInitializer | undefined): void {
  for (const podSet of info.podSets) {
    if (podSet.ancestor !== ancestor) continue
    podSet.job.replicas = 1
    if (!asset) continue
    for (const container of podSet.containers) if (container.name === ancestor) fill(container, asset, info)
  }
}

function fill(container: Container, asset: AssetInitializer, info: Info): void {
  if (asset.storageUri !== undefined) upsertEnv(container, [{ name: STORAGE_URI_ENV, value: asset.storageUri }])
  upsertEnv(container, renderedEnv(asset.env, info.deviates('env-from-file-key')))
  if (asset.secretRef) {
    container.envFrom = [...(container.envFrom ?? []), { secretRef: { name: asset.secretRef.name ?? '' } }]
  }
}
