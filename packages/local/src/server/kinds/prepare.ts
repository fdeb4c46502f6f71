import type { KubeObject } from '@trainjob/kube'
import type { ServedResource } from '../served-resource.ts'
import { prepareNamespace } from './namespace.ts'
import { prepareSecret } from './secret.ts'

/** What the server itself does to an object of a kind before anybody is asked. */
export interface Preparation {
  readonly onCreate?: (object: KubeObject) => KubeObject
  readonly onUpdate?: (object: KubeObject) => KubeObject
}

const PREPARATIONS: Readonly<Record<string, Preparation>> = {
  Secret: { onCreate: prepareSecret, onUpdate: prepareSecret },
  Namespace: { onCreate: prepareNamespace },
}

/** The preparation of a built-in kind; nothing for all others. */
export function preparationOf(resource: ServedResource): Preparation {
  return (resource.custom === true ? undefined : PREPARATIONS[resource.kind]) ?? NOTHING
}

const NOTHING: Preparation = {}
