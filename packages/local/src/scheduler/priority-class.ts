import type { KubernetesObject, ResourceType } from '@trainjob/api'
import type { JsonSchema } from '@trainjob/api/schema'

/** How pods that name it come before others. */
export interface PriorityClass extends KubernetesObject {
  value?: number
  /** Pods that name none have it. */
  globalDefault?: boolean
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority'
  description?: string
}

export const PriorityClasses: ResourceType<PriorityClass> = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  plural: 'priorityclasses',
  kind: 'PriorityClass',
  namespaced: false,
}

/** For `kubectl explain` and the checks of clients. */
export const PRIORITY_CLASS_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'How pods that name it come before others that wait.',
  properties: {
    value: {
      type: 'integer',
      format: 'int32',
      description: 'The priority of pods with this class; at most a billion for classes of users.',
    },
    globalDefault: { type: 'boolean', description: 'Pods that name no class have this one. Only one class can.' },
    preemptionPolicy: {
      type: 'string',
      description: 'Never or PreemptLowerPriority. On one machine no pod is ended for another.',
    },
    description: { type: 'string', description: 'When this class should be used.' },
  },
  required: ['value'],
}

/** The highest value that users may give; above are those of the system (source: pkg/apis/scheduling/types.go). */
export const HIGHEST_PRIORITY = 1_000_000_000

/** The classes that every cluster has (source: pkg/apis/scheduling/v1/helpers.go). */
export const SYSTEM_CLASSES: readonly PriorityClass[] = [
  systemClass(
    'system-cluster-critical',
    2 * HIGHEST_PRIORITY,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
  systemClass(
    'system-node-critical',
    2 * HIGHEST_PRIORITY + 1_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
]

function systemClass(name: string, value: number, description: string): PriorityClass {
  const { group, version, kind } = PriorityClasses
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name },
    value,
    preemptionPolicy: 'PreemptLowerPriority',
    description,
  }
}
