import { LORA_ATTN_MODULES, QUANTIZE_BASE, TORCHTUNE_ENTRYPOINT, USE_DORA } from './constants.ts'

/** How a torchtune job fine-tunes, as its arguments say. */
export type Method = 'full' | 'lora' | 'qlora'

/** What decides between recipes. */
export interface Size {
  readonly numNodes: number
  /** `auto` is one per GPU. */
  readonly processesPerNode: number | 'auto'
  readonly gpus: number
}

/** Whether the command hands over to torchtune. */
export function isTorchTune(command: readonly string[] | undefined): boolean {
  return command?.length === TORCHTUNE_ENTRYPOINT.length && command.every((word, i) => word === TORCHTUNE_ENTRYPOINT[i])
}

/** The model in the name of a torchtune runtime: `llama3_2/1B` of `torchtune-llama3.2-1b`; `''` when there is none. */
export function modelOf(runtimeName: string): string {
  const [, family, size, ...rest] = runtimeName.split('-')
  if (family === undefined || size === undefined || rest.length > 0) return ''
  return `${family.replaceAll('.', '_')}/${size.toUpperCase()}`
}

/** DoRA rules QLoRA out. */
export function methodOf(args: readonly string[] | undefined): Method {
  if (!isOn(args, USE_DORA) && isOn(args, QUANTIZE_BASE)) return 'qlora'
  return args?.some((arg) => arg.includes(LORA_ATTN_MODULES)) ? 'lora' : 'full'
}

/** `key=true` in any case; the key may be written with more around it. */
function isOn(args: readonly string[] | undefined, item: string): boolean {
  return (args ?? []).some((arg) => {
    const equals = arg.indexOf('=')
    return (
      equals !== -1 &&
      arg.slice(0, equals).includes(item) &&
      arg
        .slice(equals + 1)
        .trim()
        .toLowerCase() === 'true'
    )
  })
}

/**
 * Recipe and ending of the configuration's name. On several nodes there is only the full one.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/torch/torchtune.go (`getRecipeAndConfig`).
 */
export function recipeOf(
  method: Method,
  { numNodes, processesPerNode, gpus }: Size,
): { recipe: string; config: string } {
  if (numNodes !== 1) return { recipe: 'full_finetune_distributed', config: numNodes > 1 ? '_full_multinode' : '_full' }
  const kind = method === 'full' ? 'full' : 'lora'
  return processesPerNode === 1 || gpus === 1
    ? { recipe: `${kind}_finetune_single_device`, config: `_${method}_single_device` }
    : { recipe: `${kind}_finetune_distributed`, config: `_${method}` }
}
