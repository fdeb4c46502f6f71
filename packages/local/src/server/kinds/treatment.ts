import type { KubeObject } from '@trainjob/kube'
import type { Cause } from '../failures.ts'
import type { ServedResource } from '../served-resource.ts'
import { checkDataKeys } from './data-keys.ts'
import { validateImmutableData } from './immutable-data.ts'
import { withoutSelector } from './job.ts'
import { prepareNamespace } from './namespace.ts'
import { validatePod } from './pod.ts'
import { withoutPriority } from './pod-additions.ts'
import { prepareSecret } from './secret.ts'

/** What the server itself does about a kind. */
export interface Treatment {
  /** Before anybody is asked. */
  readonly onCreate?: (object: KubeObject) => KubeObject
  readonly onUpdate?: (object: KubeObject) => KubeObject
  /** After defaulting, whatever the hooks say; `old` is what the object replaces. */
  readonly validate?: (object: KubeObject, old?: KubeObject) => readonly Cause[]
  /** The object without what was added to it that is no default of a field. */
  readonly withoutAdditions?: (completed: KubeObject, given: KubeObject) => KubeObject
}

const TREATMENTS: Readonly<Record<string, Treatment>> = {
  ConfigMap: { validate: validateData },
  Secret: { onCreate: prepareSecret, onUpdate: prepareSecret, validate: validateData },
  Namespace: { onCreate: prepareNamespace },
  Pod: { validate: validatePod, withoutAdditions: withoutPriority },
  Job: { withoutAdditions: withoutSelector },
}

function validateData(object: KubeObject, old?: KubeObject): readonly Cause[] {
  return [...checkDataKeys(object, old), ...validateImmutableData(object, old)]
}

/** The treatment of a built-in kind; nothing for all others. */
export function treatmentOf(resource: ServedResource): Treatment {
  return (resource.custom === true ? undefined : TREATMENTS[resource.kind]) ?? NOTHING
}

const NOTHING: Treatment = {}

/**
 * The part of a completed object that whoever wrote it owns: as it was given in custom kinds, which webhooks complete,
 * with the defaults of its fields in built-in ones.
 */
export function writtenPart(resource: ServedResource, given: KubeObject, completed: KubeObject): KubeObject {
  if (given === completed) return completed
  return resource.custom === true ? given : (treatmentOf(resource).withoutAdditions?.(completed, given) ?? completed)
}
