import type { Plugin } from '../plugin.ts'
import { jobSetPlugin } from './jobset/jobset.ts'
import { plainPlugin } from './plain/plain.ts'
import { torchPlugin } from './torch/torch.ts'

/**
 * Every plugin. They run in this order, and their objects are applied in this order: what pods mount or wait for comes
 * before the JobSet.
 */
export const PLUGINS: readonly Plugin[] = [plainPlugin, torchPlugin, jobSetPlugin]
