import { isDocumentForm, PROCESSES_ANNOTATION } from '@trainjob/api'
import { COMPLETION_INDEX_FIELD, TRAINER_PORT } from '../../constants.ts'
import { upsertEnv } from '../../env.ts'
import type { Info } from '../../info.ts'
import type { EnforceMLPolicyPlugin, Plugin } from '../../plugin.ts'
import { gpusOf } from '../../resources.ts'
import { PET_MASTER_ADDR, PET_NPROC_PER_NODE } from '../torch/constants.ts'
import { listenOnSshdPort } from './sshd-port.ts'
import { trainingContainers, trainingPods } from './training-pods.ts'

/**
 * Environment that the document's form promises beside upstream's. A job and a runtime that are both canonical get none
 * of it.
 */
export const documentEnvPlugin: Plugin & EnforceMLPolicyPlugin = {
  name: 'document-env',

  enforceMLPolicy(info) {
    if (info.mlPolicy?.torch) applyTorch(info)
    if (info.mlPolicy?.xgboost) applyXGBoost(info)
    if (info.mlPolicy?.mpi) listenOnSshdPort(info)
  },
}

/** What PyTorch itself reads, for programs that are not started by torchrun. torchrun sets its own on top. */
function applyTorch(info: Info): void {
  const [podSet] = trainingPods(info)
  const [container] = trainingContainers(info)
  if (!podSet || !container) return
  const how = info.runtimeMetadata.annotations?.[PROCESSES_ANNOTATION]
  if ((how === 'cpu' || how === 'gpu') && info.trainJob.spec.trainer?.numProcPerNode === undefined) {
    upsertEnv(container, [{ name: PET_NPROC_PER_NODE, value: how }])
  }
  if (!isDocumentForm(info.trainJob) && !isDocumentForm({ metadata: info.runtimeMetadata })) return
  const own = new Set(container.env?.map(({ name }) => name))
  const plainValue = (name: string): string | undefined =>
    container.env?.find((variable) => variable.name === name)?.value
  const address = plainValue(PET_MASTER_ADDR)
  const said = plainValue(PET_NPROC_PER_NODE) ?? '1'
  const processes = /^\d+$/.test(said) ? Number(said) : Math.max(1, gpusOf(container.resources))
  const rank = { name: 'RANK', valueFrom: { fieldRef: { fieldPath: COMPLETION_INDEX_FIELD } } }
  const env = [
    ...(address === undefined ? [] : [{ name: 'MASTER_ADDR', value: address }]),
    { name: 'MASTER_PORT', value: String(TRAINER_PORT) },
    { name: 'WORLD_SIZE', value: String(podSet.count * processes) },
    ...(processes === 1 ? [rank] : []),
  ]
  upsertEnv(
    container,
    env.filter(({ name }) => !own.has(name)),
  )
  const { command = [], args = [] } = info.trainer ?? {}
  const isTorchrun = [...command, ...args].some((word) => /\btorchrun\b|torch\.distributed\.run/.test(word))
  if (processes > 1 && !own.has('RANK') && !isTorchrun) {
    info.warnings.push({
      path: 'spec.trainer',
      code: 'rank-left-to-torchrun',
      message: `RANK is not set: each node has ${processes} processes, and torchrun gives each of them its own; start the program with torchrun`,
    })
  }
}

/** Source: kubeflow/trainer v2.3.0, pkg/constants (`XGBoostEnvNumWorker`). */
const DMLC_NUM_WORKER = 'DMLC_NUM_WORKER'

/** `numXGBoostWorkersPerNode` in place of one worker for each GPU. */
function applyXGBoost(info: Info): void {
  const text = info.runtimeMetadata.annotations?.[PROCESSES_ANNOTATION]
  const workers = info.trainJob.spec.trainer?.numProcPerNode ?? Number(text)
  if (text === undefined || !Number.isInteger(workers)) return
  const [podSet] = trainingPods(info)
  for (const container of trainingContainers(info)) {
    if (!container.env?.some(({ name }) => name === DMLC_NUM_WORKER)) continue
    upsertEnv(container, [{ name: DMLC_NUM_WORKER, value: String((podSet?.count ?? 1) * workers) }])
  }
}
