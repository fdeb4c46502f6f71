import type { Namespace } from '@trainjob/api'
import type { KubeObject } from '@trainjob/kube'

/** A namespace goes only when its content is gone: `spec.finalizers` holds it until then. */
export function prepareNamespace(object: KubeObject): KubeObject {
  const namespace = object as Namespace
  const { name = '', labels } = namespace.metadata
  return {
    ...namespace,
    metadata: { ...namespace.metadata, labels: { ...labels, 'kubernetes.io/metadata.name': name } },
    spec: { ...namespace.spec, finalizers: ['kubernetes'] },
  } as Namespace
}
