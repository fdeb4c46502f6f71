import type { Plugin } from '../plugin.ts'
import { coschedulingPlugin } from './coscheduling/coscheduling.ts'
import { documentPlugin } from './document/document.ts'
import { documentEnvPlugin } from './document/document-env.ts'
import { elasticPlugin } from './elastic/elastic.ts'
import { fluxPlugin } from './flux/flux.ts'
import { jaxPlugin } from './jax/jax.ts'
import { jobSetPlugin } from './jobset/jobset.ts'
import { jsonPatchPlugin } from './json-patch/json-patch.ts'
import { mpiPlugin } from './mpi/mpi.ts'
import { plainPlugin } from './plain/plain.ts'
import { tensorFlowPlugin } from './tensorflow/tensorflow.ts'
import { torchPlugin } from './torch/torch.ts'
import { trainJobStatusPlugin } from './trainjob-status/trainjob-status.ts'
import { volcanoPlugin } from './volcano/volcano.ts'
import { xgboostPlugin } from './xgboost/xgboost.ts'

/**
 * Every plugin. They run in this order, and their objects are applied in this order: what pods mount or wait for comes
 * before the JobSet.
 */
export const PLUGINS: readonly Plugin[] = [
  documentPlugin,
  plainPlugin,
  torchPlugin,
  jaxPlugin,
  xgboostPlugin,
  mpiPlugin,
  fluxPlugin,
  elasticPlugin,
  documentEnvPlugin,
  tensorFlowPlugin,
  trainJobStatusPlugin,
  coschedulingPlugin,
  volcanoPlugin,
  jobSetPlugin,
  jsonPatchPlugin,
]
