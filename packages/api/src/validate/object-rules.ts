import type { z } from 'zod'
import type { FieldPath } from '../field-path.ts'
import { trainJob } from '../schema/train-job.ts'
import { clusterTrainingRuntime, trainingRuntime } from '../schema/training-runtime.ts'
import { TRAINER_GROUP } from '../trainer/types.ts'
import { withoutNullFields } from './null-fields.ts'

/** How objects of a kind are checked. */
export interface ObjectRules {
  readonly schema: z.ZodType
  /** Where fields that the schema does not know are kept. */
  readonly keepsUnknown?: (path: FieldPath) => boolean
}

const RULES: Readonly<Record<string, ObjectRules>> = {
  TrainJob: { schema: trainJob },
  TrainingRuntime: { schema: trainingRuntime, keepsUnknown: isInPodTemplate },
  ClusterTrainingRuntime: { schema: clusterTrainingRuntime, keepsUnknown: isInPodTemplate },
}

/** The kinds that are checked by a schema. */
export const CHECKED_KINDS: readonly string[] = Object.keys(RULES)

/** The rules of an object's kind, also when its apiVersion is missing; nothing for kinds of other groups. */
export function objectRulesOf(object: object): ObjectRules | undefined {
  const { apiVersion, kind } = object as { readonly apiVersion?: unknown; readonly kind?: unknown }
  if (typeof apiVersion === 'string' && !apiVersion.startsWith(`${TRAINER_GROUP}/`)) return undefined
  return typeof kind === 'string' && Object.hasOwn(RULES, kind) ? RULES[kind] : undefined
}

/** The object as a server takes it, see `withoutNullFields`. Objects of other kinds come back as they are. */
export function withoutNulls<T extends object>(object: T): T {
  const rules = objectRulesOf(object)
  return rules === undefined ? object : withoutNullFields(object, rules.schema)
}

/** `spec.template.spec.replicatedJobs[i].template.spec.template` and what is below. */
function isInPodTemplate(path: FieldPath): boolean {
  return path.length >= 8 && path[3] === 'replicatedJobs' && path[5] === 'template' && path[7] === 'template'
}
