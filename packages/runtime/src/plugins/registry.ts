import type { Plugin } from '../plugin.ts'
import { documentPlugin } from './document/document.ts'
import { documentEnvPlugin } from './document/document-env.ts'
import { elasticPlugin } from './elastic/elastic.ts'
import { jobSetPlugin } from './jobset/jobset.ts'
import { jsonPatchPlugin } from './json-patch/json-patch.ts'
import { plainPlugin } from './plain/plain.ts'
import { tensorFlowPlugin } from './tensorflow/tensorflow.ts'
import { torchPlugin } from './torch/torch.ts'

/**
 * Every plugin. They run in this order, and their objects are applied in this order: what pods mount or wait for comes
 * before the JobSet.
 */
export const PLUGINS: readonly Plugin[] = [
  documentPlugin,
  plainPlugin,
  torchPlugin,
  elasticPlugin,
  documentEnvPlugin,
  tensorFlowPlugin,
  jobSetPlugin,
  jsonPatchPlugin,
]
