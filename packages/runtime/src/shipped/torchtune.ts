import {
  ANCESTOR_DATASET_INITIALIZER,
  ANCESTOR_LABEL,
  ANCESTOR_MODEL_INITIALIZER,
  ANCESTOR_TRAINER,
  type ClusterTrainingRuntime,
  type Container,
  FRAMEWORK_LABEL,
  NODE_NAME,
  type ReplicatedJob,
} from '@trainjob/api'

/** A model that torchtune fine-tunes. */
interface TorchTuneModel {
  readonly name: string
  /** Of its configuration, `_full` left out. */
  readonly config: string
  /** Where its weights come from. */
  readonly uri: string
  /** Items of the configuration that say where the tokenizer is. */
  readonly tokenizer: readonly string[]
}

const LLAMA_TOKENIZER = ['tokenizer.path=/workspace/model/original/tokenizer.model']
const QWEN_TOKENIZER = [
  'tokenizer.path=/workspace/model/vocab.json',
  'tokenizer.merges_file=/workspace/model/merges.txt',
]

/**
 * Fine-tuning of language models with torchtune: fetch data and weights to a shared volume, then train.
 * Source: kubeflow/trainer v2.3.0, manifests/base/runtimes/torchtune.
 */
export const torchTuneRuntimes: readonly ClusterTrainingRuntime[] = [
  torchTuneRuntime({
    name: 'torchtune-llama3.2-1b',
    config: 'llama3_2/1B',
    uri: 'hf://meta-llama/Llama-3.2-1B-Instruct',
    tokenizer: LLAMA_TOKENIZER,
  }),
  torchTuneRuntime({
    name: 'torchtune-llama3.2-3b',
    config: 'llama3_2/3B',
    uri: 'hf://meta-llama/Llama-3.2-3B-Instruct',
    tokenizer: LLAMA_TOKENIZER,
  }),
  torchTuneRuntime({
    name: 'torchtune-qwen2.5-1.5b',
    config: 'qwen2_5/1.5B',
    uri: 'hf://Qwen/Qwen2.5-1.5B-Instruct',
    tokenizer: QWEN_TOKENIZER,
  }),
]

function torchTuneRuntime({ name, config, uri, tokenizer }: TorchTuneModel): ClusterTrainingRuntime {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'ClusterTrainingRuntime',
    metadata: { name, labels: { [FRAMEWORK_LABEL]: 'torchtune' } },
    spec: {
      mlPolicy: { numNodes: 1, torch: {} },
      template: {
        spec: {
          volumeClaimPolicies: [
            {
              templates: [
                {
                  metadata: { name: 'initializer' },
                  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '20Gi' } } },
                },
              ],
            },
          ],
          replicatedJobs: [
            initializer(ANCESTOR_DATASET_INITIALIZER, 'hf://tatsu-lab/alpaca'),
            initializer(ANCESTOR_MODEL_INITIALIZER, uri),
            {
              name: NODE_NAME,
              dependsOn: [
                { name: ANCESTOR_DATASET_INITIALIZER, status: 'Complete' },
                { name: ANCESTOR_MODEL_INITIALIZER, status: 'Complete' },
              ],
              template: jobTemplate(ANCESTOR_TRAINER, trainer(config, tokenizer)),
            },
          ],
        },
      },
    },
  }
}

function initializer(name: string, uri: string): ReplicatedJob {
  return {
    name,
    template: jobTemplate(name, {
      name,
      image: `ghcr.io/kubeflow/trainer/${name}`,
      env: [{ name: 'STORAGE_URI', value: uri }],
    }),
  }
}

function trainer(config: string, tokenizer: readonly string[]): Container {
  return {
    name: NODE_NAME,
    image: 'ghcr.io/kubeflow/trainer/torchtune-trainer',
    command: [
      'tune',
      'run',
      '--rdzv_endpoint=localhost:29500',
      'full_finetune_distributed',
      '--config',
      `${config}_full`,
      'dataset=torchtune.datasets.instruct_dataset',
      'dataset.source=parquet',
      'dataset.data_dir=/workspace/dataset/data',
      'output_dir=/workspace/output',
      ...tokenizer,
      'checkpointer.checkpoint_dir=/workspace/model',
    ],
    resources: { limits: { 'nvidia.com/gpu': 2 } },
  }
}

/** A pod with one container, which sees the shared volume. */
function jobTemplate(ancestor: string, container: Container): ReplicatedJob['template'] {
  const volumeMounts = [{ name: 'initializer', mountPath: '/workspace' }]
  return {
    metadata: { labels: { [ANCESTOR_LABEL]: ancestor } },
    spec: { template: { spec: { containers: [{ ...container, volumeMounts }] } } },
  }
}
