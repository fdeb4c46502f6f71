import {
  ClusterTrainingRuntimes,
  type KubernetesObject,
  RESOURCE_IN_USE_FINALIZER,
  type ResourceType,
  TrainingRuntimes,
} from '@trainjob/api'
import {
  type Client,
  type Clock,
  type Controller,
  createController,
  createInformer,
  isNotFound,
  type ObjectKey,
} from '@trainjob/kube'

/** Which runtimes, and how. */
export interface TrainingRuntimeControllerOptions {
  readonly client: Client
  readonly clock: Clock
  /** The TrainingRuntimes of one namespace; when left out all of them, and the ClusterTrainingRuntimes. */
  readonly namespace?: string
  /** Told of every pass that failed. Each is tried again. A process warning when left out. */
  readonly onError?: (error: unknown, key: ObjectKey | undefined) => void
}

/** A controller that is ready to start. */
export interface TrainingRuntimeController {
  /** Resolves when it has stopped, after `signal` fired. */
  start(signal: AbortSignal): Promise<void>
}

/**
 * Takes the finalizer off runtimes that Trainer 2.2 put there: nobody else would, and they could not be deleted.
 *
 * (source: kubeflow/trainer v2.3.0, `pkg/controller/{trainingruntime,clustertrainingruntime}_controller.go`)
 *
 * @example
 * import { systemClock } from '@trainjob/kube'
 *
 * const stop = new AbortController()
 * const controller = createTrainingRuntimeController({ client, clock: systemClock })
 * const running = controller.start(stop.signal)
 * stop.abort()
 * await running
 */
export function createTrainingRuntimeController(options: TrainingRuntimeControllerOptions): TrainingRuntimeController {
  const kinds = [TrainingRuntimes, ...(options.namespace === undefined ? [ClusterTrainingRuntimes] : [])]
  const controllers = kinds.map((kind) => createReleasing(options, kind as ResourceType<KubernetesObject>))
  return {
    async start(signal) {
      await Promise.all(controllers.map((controller) => controller.run(signal)))
    },
  }
}

function createReleasing(
  { namespace, onError, ...scope }: TrainingRuntimeControllerOptions,
  resource: ResourceType<KubernetesObject>,
): Controller {
  const informer = createInformer({
    ...scope,
    resource,
    transform: metadataOf,
    ...(namespace !== undefined && { namespace }),
  })
  return createController({ name: resource.plural, clock: scope.clock, ...(onError !== undefined && { onError }) })
    .for(informer)
    .reconcile(async (key, { signal }) => {
      const { finalizers = [], resourceVersion } = informer.store.get(key)?.metadata ?? {}
      const others = finalizers.filter((one) => one !== RESOURCE_IN_USE_FINALIZER)
      if (others.length === finalizers.length) return
      // the version: what somebody else adds or removes meanwhile is not undone
      const body = { metadata: { resourceVersion, finalizers: others } }
      try {
        await scope.client.patch(resource, key, { type: 'merge', body }, { signal })
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    })
}

/** All that is needed of a runtime. */
function metadataOf({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  const { managedFields: _, ...kept } = metadata
  return { apiVersion, kind, metadata: kept }
}
