import {
  ANCESTOR_DATASET_INITIALIZER,
  type AssetInitializer,
  type Container,
  DATASET_MOUNT_PATH,
  isDocumentForm,
  NODE_NAME,
} from '@trainjob/api'
import { renderedEnv, upsertEnv } from '../../env.ts'
import type { Info, PodSet } from '../../info.ts'
import { INITIALIZER_VOLUME, STORAGE_URI_ENV } from '../jobset/constants.ts'
import { trainingPods } from './training-pods.ts'

/** Source: kubeflow/trainer v2.3.0, manifests/base/runtimes. */
const DATASET_INITIALIZER_IMAGE = 'ghcr.io/kubeflow/trainer/dataset-initializer'

/** Whether each pod fetches the dataset itself: so says the document, and the runtime has no job for it. */
export function fetchesInPods({ trainJob, podSets }: Info): boolean {
  return (
    isDocumentForm(trainJob) &&
    !podSets.some(
      ({ name, ancestor }) => name === ANCESTOR_DATASET_INITIALIZER || ancestor === ANCESTOR_DATASET_INITIALIZER,
    )
  )
}

/** The dataset as an init container of every pod that trains, with a volume of the pod's own. */
export function fetchInPods(info: Info): void {
  const { dataset } = info.trainJob.spec.initializer ?? {}
  if (!dataset || !fetchesInPods(info)) return
  for (const podSet of trainingPods(info)) addInitializer(podSet, dataset, info)
}

const MOUNT = { name: INITIALIZER_VOLUME, mountPath: DATASET_MOUNT_PATH }

function addInitializer({ podSpec, containers, initContainers }: PodSet, dataset: AssetInitializer, info: Info): void {
  const container: Container = { name: ANCESTOR_DATASET_INITIALIZER, image: DATASET_INITIALIZER_IMAGE }
  if (dataset.storageUri !== undefined) upsertEnv(container, [{ name: STORAGE_URI_ENV, value: dataset.storageUri }])
  upsertEnv(container, renderedEnv(dataset.env, info.deviates('env-from-file-key')))
  if (dataset.secretRef) container.envFrom = [{ secretRef: { name: dataset.secretRef.name } }]
  container.volumeMounts = [MOUNT]
  initContainers.push(container)
  podSpec.initContainers = initContainers
  podSpec.volumes = [
    ...(podSpec.volumes ?? []).filter(({ name }) => name !== INITIALIZER_VOLUME),
    { name: INITIALIZER_VOLUME, emptyDir: {} },
  ]
  for (const each of containers) {
    if (each.name !== NODE_NAME) continue
    each.volumeMounts = [...(each.volumeMounts ?? []).filter(({ name }) => name !== INITIALIZER_VOLUME), MOUNT]
  }
}
