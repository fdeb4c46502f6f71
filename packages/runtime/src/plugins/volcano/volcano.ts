import type { Info } from '../../info.ts'
import type {
  ComponentBuilderPlugin,
  CustomValidationPlugin,
  EnforcePodGroupPolicyPlugin,
  Plugin,
} from '../../plugin.ts'
import { gangOf, gangSize, mayWritePodGroup, podGroupMetadata } from '../gang/gang.ts'
import { GROUP_NAME_ANNOTATION, QUEUE_ANNOTATION, VOLCANO_GROUP } from './constants.ts'
import { priorityClassKeys, validateVolcano } from './validate.ts'

/**
 * Gang scheduling by Volcano.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/volcano.
 */
export const volcanoPlugin: Plugin & EnforcePodGroupPolicyPlugin & ComponentBuilderPlugin & CustomValidationPlugin = {
  name: 'volcano',

  enforcePodGroupPolicy(info) {
    if (!info.podGroupPolicy?.volcano) return
    for (const { podAnnotations } of gangOf(info)) {
      podAnnotations[GROUP_NAME_ANNOTATION] = info.trainJob.metadata.name ?? ''
    }
  },

  build(info) {
    const policy = info.podGroupPolicy?.volcano
    if (!policy || !mayWritePodGroup(info, VOLCANO_GROUP)) return []
    const { mode = 'hard', highestTierAllowed = 1 } = policy.networkTopology ?? {}
    const queue = info.annotations[QUEUE_ANNOTATION]
    const priorityClassName = priorityClassOf(info)
    const podGroup = {
      apiVersion: `${VOLCANO_GROUP}/v1beta1`,
      kind: 'PodGroup',
      metadata: podGroupMetadata(info),
      spec: {
        ...gangSize(gangOf(info)),
        ...(queue !== undefined && { queue }),
        ...(priorityClassName !== undefined && { priorityClassName }),
        ...(policy.networkTopology && { networkTopology: { mode, highestTierAllowed } }),
      },
    }
    return [podGroup]
  },

  factsWanted: ({ metadata }, { spec }) =>
    spec.podGroupPolicy?.volcano
      ? [
          {
            group: VOLCANO_GROUP,
            kind: 'PodGroup',
            namespace: metadata.namespace ?? 'default',
            name: metadata.name ?? '',
          },
          ...priorityClassKeys(spec.template?.spec?.replicatedJobs ?? []),
        ]
      : [],

  validate: validateVolcano,
}

/** Of the last job that names one. */
function priorityClassOf({ podSets }: Info): string | undefined {
  return podSets.findLast(({ podSpec }) => isText(podSpec.priorityClassName))?.podSpec.priorityClassName as
    | string
    | undefined
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
