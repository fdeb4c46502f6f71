import {
  CPUS_ANNOTATION,
  ELASTIC_ANNOTATION,
  type ElasticPolicy,
  GPUS_ANNOTATION,
  PROCESSES_ANNOTATION,
  readAnnotation,
} from '@trainjob/api'
import { RenderError } from '../../error.ts'
import type { Info } from '../../info.ts'
import type { CompleteTemplatePlugin, CustomValidationPlugin, EnforceMLPolicyPlugin, Plugin } from '../../plugin.ts'
import { fetchInPods } from './fetch-in-pods.ts'
import { gpuMismatch, gpuMismatchMessage, limitGpus } from './gpus.ts'
import { numberIn } from './number-in.ts'
import { trainingContainers } from './training-pods.ts'

const GPU_PATH = 'spec.trainer.resourcesPerNode.limits'

/**
 * What the document's form says of nodes in general, before any framework is asked: their CPUs, GPUs and processes; and
 * after all of them the dataset that is fetched in each pod. It acts on annotations only, see `@trainjob/api`.
 */
export const documentPlugin: Plugin & EnforceMLPolicyPlugin & CompleteTemplatePlugin & CustomValidationPlugin = {
  name: 'document',

  enforceMLPolicy(info) {
    const mismatch = gpuMismatch(info)
    if (mismatch) throw new RenderError('gpu-count-mismatch', GPU_PATH, sentence(gpuMismatchMessage(mismatch)))
    limitGpus(info)
    requestCpus(info)
    const processes = processesOf(info)
    if (processes !== undefined && info.trainer?.numProcPerNode === undefined) {
      info.trainer = { ...info.trainer, numProcPerNode: processes }
    }
  },

  completeTemplate: fetchInPods,

  validate(info, _old, findings) {
    const mismatch = gpuMismatch(info)
    if (mismatch) findings.error({ path: GPU_PATH, code: 'gpu-count-mismatch', message: gpuMismatchMessage(mismatch) })
  },
}

/** Processes of each node: those of an elastic job first, then one for each GPU. */
function processesOf({ runtimeMetadata }: Info): number | undefined {
  const elastic = readAnnotation({ metadata: runtimeMetadata }, ELASTIC_ANNOTATION) as ElasticPolicy | undefined
  return (
    elastic?.nprocPerNode ??
    numberIn(runtimeMetadata, PROCESSES_ANNOTATION) ??
    numberIn(runtimeMetadata, GPUS_ANNOTATION)
  )
}

function requestCpus(info: Info): void {
  const cpus = numberIn(info.runtimeMetadata, CPUS_ANNOTATION)
  if (cpus === undefined) return
  for (const container of trainingContainers(info)) {
    const { resources } = container
    if (resources?.requests?.cpu !== undefined || resources?.limits?.cpu !== undefined) continue
    container.resources = { ...resources, requests: { ...resources?.requests, cpu: String(cpus) } }
  }
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`
}
