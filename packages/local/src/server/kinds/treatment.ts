import type { KubeObject } from '@trainjob/kube'
import type { Cause } from '../failures.ts'
import type { ServedResource } from '../served-resource.ts'
import { checkDataKeys } from './data-keys.ts'
import { prepareNamespace } from './namespace.ts'
import { validatePod } from './pod.ts'
import { prepareSecret } from './secret.ts'

/** What the server itself does about a kind. */
export interface Treatment {
  /** Before anybody is asked. */
  readonly onCreate?: (object: KubeObject) => KubeObject
  readonly onUpdate?: (object: KubeObject) => KubeObject
  /** After defaulting, whatever the hooks say; `old` is what the object replaces. */
  readonly validate?: (object: KubeObject, old?: KubeObject) => readonly Cause[]
}

const TREATMENTS: Readonly<Record<string, Treatment>> = {
  ConfigMap: { validate: checkDataKeys },
  Secret: { onCreate: prepareSecret, onUpdate: prepareSecret, validate: checkDataKeys },
  Namespace: { onCreate: prepareNamespace },
  Pod: { validate: validatePod },
}

/** The treatment of a built-in kind; nothing for all others. */
export function treatmentOf(resource: ServedResource): Treatment {
  return (resource.custom === true ? undefined : TREATMENTS[resource.kind]) ?? NOTHING
}

const NOTHING: Treatment = {}
