import { type JobSet, JobSets, type JobSpec, type ObjectMeta } from '@trainjob/api'
import type { Info } from '../../info.ts'
import { ownerReference } from '../../owner.ts'
import type {
  CompleteTemplatePlugin,
  ComponentBuilderPlugin,
  CustomValidationPlugin,
  Plugin,
  PodNetworkPlugin,
} from '../../plugin.ts'
import { collapsePortsUpstream } from '../../ports.ts'
import { findJobSet } from './find-jobset.ts'
import { applyInitializers } from './initializer.ts'
import { applyTrainer } from './trainer.ts'
import { validateJobSet } from './validate.ts'

/**
 * The JobSet itself.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/jobset.
 */
export const jobSetPlugin: Plugin &
  PodNetworkPlugin &
  CompleteTemplatePlugin &
  ComponentBuilderPlugin &
  CustomValidationPlugin = {
  name: 'jobset',

  identifyPodNetwork(info) {
    const job = info.trainJob.metadata.name ?? ''
    const subdomain = info.template.network?.subdomain ?? job
    for (const podSet of info.podSets) {
      // as the runtime says: building the JobSet makes it one
      const replicas = podSet.job.replicas ?? 1
      podSet.endpoints = function* () {
        for (let replica = 0; replica < replicas; replica++) {
          for (let pod = 0; pod < podSet.count; pod++) yield `${job}-${podSet.name}-${replica}-${pod}.${subdomain}`
        }
      }
    }
  },

  syncParallelCount(info) {
    for (const { job, count } of info.podSets) {
      const spec = job.template.spec as JobSpec
      spec.parallelism = count
      spec.completions = count
    }
  },

  completeTemplate(info) {
    if (!info.deviates('unnamed-ports')) collapsePorts(info)
    applyInitializers(info)
    applyTrainer(info)
    applyPodMetadata(info)
  },

  build(info) {
    const running = findJobSet(info.facts, info.namespace, info.trainJob.metadata.name)
    if (running && !info.trainJob.spec.suspend && !running.spec.suspend) return []
    return [newJobSet(info)]
  },

  validate: validateJobSet,
}

function collapsePorts(info: Info): void {
  for (const { containers, initContainers } of info.podSets) {
    containers.forEach(collapsePortsUpstream)
    initContainers.forEach(collapsePortsUpstream)
  }
}

/** Labels and annotations that plugins want on pods. */
function applyPodMetadata({ podSets }: Info): void {
  for (const { job, podLabels, podAnnotations } of podSets) {
    if (isEmpty(podLabels) && isEmpty(podAnnotations)) continue
    const template = (job.template.spec as JobSpec).template
    const metadata: ObjectMeta = { ...template.metadata }
    if (!isEmpty(podLabels)) metadata.labels = { ...metadata.labels, ...podLabels }
    if (!isEmpty(podAnnotations)) metadata.annotations = { ...metadata.annotations, ...podAnnotations }
    template.metadata = metadata
  }
}

function newJobSet({ trainJob, namespace, labels, annotations, template }: Info): JobSet {
  const metadata: ObjectMeta = { name: trainJob.metadata.name ?? '', namespace }
  if (!isEmpty(labels)) metadata.labels = labels
  if (!isEmpty(annotations)) metadata.annotations = annotations
  metadata.ownerReferences = [ownerReference(trainJob)]
  template.suspend = trainJob.spec.suspend ?? false
  return { apiVersion: `${JobSets.group}/${JobSets.version}`, kind: JobSets.kind, metadata, spec: template }
}

function isEmpty(map: Readonly<Record<string, unknown>>): boolean {
  for (const _ in map) return false
  return true
}
