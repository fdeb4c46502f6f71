/**
 * What torchtune calls things. Sources: kubeflow/trainer v2.3.0, pkg/constants/constants.go; pytorch/torchtune, recipes.
 */

/** `spec.trainer.command` of a torchtune job. */
export const TORCHTUNE_ENTRYPOINT: readonly string[] = ['tune', 'run']

export const LLAMA_3_2_1B = 'llama3_2/1B'
export const LLAMA_3_2_3B = 'llama3_2/3B'
/** The one model with a configuration for several nodes. */
export const LLAMA_3_3_70B = 'llama3_3/70B'
export const QWEN_2_5_1_5B = 'qwen2_5/1.5B'
export const SUPPORTED_MODELS: readonly string[] = [LLAMA_3_2_1B, LLAMA_3_2_3B, LLAMA_3_3_70B, QWEN_2_5_1_5B]

/** Configuration items that the runtime sets and a TrainJob must not. */
export const RUNTIME_ITEMS: ReadonlySet<string> = new Set([
  'output_dir',
  'tokenizer.path',
  'checkpointer.checkpoint_dir',
  'tokenizer.merges_file',
])

/** Configuration items by which a TrainJob chooses how it fine-tunes. */
export const LORA_ATTN_MODULES = 'model.lora_attn_modules'
export const QUANTIZE_BASE = 'model.quantize_base'
export const USE_DORA = 'model.use_dora'
