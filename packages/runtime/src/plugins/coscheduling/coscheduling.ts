import type {
  ComponentBuilderPlugin,
  CustomValidationPlugin,
  EnforcePodGroupPolicyPlugin,
  Plugin,
} from '../../plugin.ts'
import { gangOf, gangSize, mayWritePodGroup, podGroupMetadata } from '../gang/gang.ts'
import { validateGang } from '../gang/validate.ts'
import { COSCHEDULING_GROUP, DEFAULT_TIMEOUT_SECONDS, POD_GROUP_LABEL } from './constants.ts'

/**
 * Gang scheduling by the coscheduling plugin of Kubernetes' scheduler-plugins.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/coscheduling.
 */
export const coschedulingPlugin: Plugin &
  EnforcePodGroupPolicyPlugin &
  ComponentBuilderPlugin &
  CustomValidationPlugin = {
  name: 'coscheduling',

  enforcePodGroupPolicy(info) {
    if (!info.podGroupPolicy?.coscheduling) return
    for (const { podLabels } of gangOf(info)) podLabels[POD_GROUP_LABEL] = info.trainJob.metadata.name ?? ''
  },

  build(info) {
    const policy = info.podGroupPolicy?.coscheduling
    if (!policy || !mayWritePodGroup(info, COSCHEDULING_GROUP)) return []
    const { scheduleTimeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = policy
    const podGroup = {
      apiVersion: `${COSCHEDULING_GROUP}/v1alpha1`,
      kind: 'PodGroup',
      metadata: podGroupMetadata(info),
      spec: { ...gangSize(gangOf(info)), scheduleTimeoutSeconds },
    }
    return [podGroup]
  },

  factsWanted: ({ metadata }, { spec }) =>
    spec.podGroupPolicy?.coscheduling
      ? [
          {
            group: COSCHEDULING_GROUP,
            kind: 'PodGroup',
            namespace: metadata.namespace ?? 'default',
            name: metadata.name ?? '',
          },
        ]
      : [],

  validate(info, _old, findings) {
    if (info.podGroupPolicy?.coscheduling) validateGang(info, findings)
  },
}
