import type { ClusterTrainingRuntime, Trainer } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { render } from '../../../render.ts'
import { aJob, aRuntime, aTrainJob, containerOf, envOf } from '../../../testing/objects.ts'
import { validate } from '../../../validate.ts'

const LORA = 'model.lora_attn_modules=[q_proj]'
const QLORA = 'model.quantize_base=True'

describe('torchtune', () => {
  it.each<[string, Trainer, readonly string[]]>([
    ['on one GPU', {}, ['full_finetune_single_device', '--config', 'llama3_2/1B_full_single_device']],
    ['with LoRA', { args: [LORA] }, ['lora_finetune_single_device', '--config', 'llama3_2/1B_lora_single_device']],
    [
      'with QLoRA',
      { args: [QLORA, LORA] },
      ['lora_finetune_single_device', '--config', 'llama3_2/1B_qlora_single_device'],
    ],
    [
      'with DoRA, which rules QLoRA out',
      { args: [QLORA, 'model.use_dora=true', LORA] },
      ['lora_finetune_single_device', '--config', 'llama3_2/1B_lora_single_device'],
    ],
    [
      'on two GPUs',
      { resourcesPerNode: { limits: { 'nvidia.com/gpu': 2 } }, args: [LORA] },
      ['--rdzv_endpoint=job-node-0-0.job:29500', 'lora_finetune_distributed', '--config', 'llama3_2/1B_lora'],
    ],
    [
      'on two nodes',
      { numNodes: 2 },
      ['--rdzv_endpoint=job-node-0-0.job:29500', 'full_finetune_distributed', '--config', 'llama3_2/1B_full_multinode'],
    ],
  ])('completes the command %s', (_, trainer, expected) => {
    const container = containerOf(render(tuneJob('torchtune-llama3.2-1b', trainer), runtimeWithOneGpu()).objects)
    expect(container.command).toEqual(['tune', 'run', ...expected, 'output_dir=/out'])
    expect(Object.keys(envOf(container))).toEqual(['PET_NNODES', 'PET_NPROC_PER_NODE', 'PET_NODE_RANK'])
    expect(container.ports).toEqual([{ containerPort: 29500 }])
  })

  it('leaves the command of another framework alone', () => {
    expect(containerOf(render(tuneJob('rt'), aRuntime()).objects).command).toEqual(['tune', 'run'])
  })

  it.each<[string, string, Trainer, readonly string[]]>([
    ['an unknown model', 'torchtune-gpt-2', {}, ['spec.runtimeRef.name']],
    [
      'several nodes where there is no configuration',
      'torchtune-llama3.2-1b',
      { numNodes: 2 },
      ['spec.trainer.numNodes'],
    ],
    ['several nodes where there is one', 'torchtune-llama3.3-70b', { numNodes: 2 }, []],
    ['LoRA on several nodes', 'torchtune-llama3.3-70b', { numNodes: 2, args: [LORA] }, ['spec.trainer.numNodes']],
    ['QLoRA of Qwen', 'torchtune-qwen2.5-1.5b', { args: [QLORA] }, ['spec.runtimeRef.name']],
    [
      'QLoRA of a small Llama on several GPUs',
      'torchtune-llama3.2-3b',
      { args: [QLORA], resourcesPerNode: { limits: { 'nvidia.com/gpu': 2 } } },
      ['spec.trainer.numProcPerNode', 'spec.trainer.resourcesPerNode'],
    ],
    [
      'items that the runtime sets',
      'torchtune-llama3.2-1b',
      { args: ['x=1', 'tokenizer.path=/t'] },
      ['spec.trainer.args[1]'],
    ],
    ['a good job', 'torchtune-llama3.2-1b', { args: [LORA] }, []],
  ])('on %s', (_, runtime, trainer, paths) => {
    expect(validate(tuneJob(runtime, trainer), runtimeWithOneGpu()).errors.map(({ path }) => path)).toEqual(paths)
  })
})

function tuneJob(runtime: string, trainer: Trainer = {}) {
  return aTrainJob({ runtimeRef: { name: runtime }, trainer: { command: ['tune', 'run'], ...trainer } })
}

function runtimeWithOneGpu(): ClusterTrainingRuntime {
  const command = ['tune', 'run', 'output_dir=/out', 'epochs=1']
  return aRuntime(
    { torch: {} },
    { replicatedJobs: [aJob({ command, resources: { limits: { 'nvidia.com/gpu': '1' } } })] },
  )
}
