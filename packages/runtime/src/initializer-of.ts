import type { Container } from '@trainjob/api'

/** What an initializer fetches; also the name of its folder below `/workspace`. */
export type Initialized = 'dataset' | 'model'

/** Source: Trainer 2.3.0, pkg/constants/constants.go. */
const ANCESTOR_LABEL = 'trainer.kubeflow.org/trainjob-ancestor-step'
const NAME = /^(dataset|model)-initializer$/
const IMAGE = /(?:^|\/)(dataset|model)-initializer(?:[:@]|$)/

/**
 * Which initializer a container is when it leaves its program to its image: by the image, by the name that Trainer
 * requires of it, or by the label of its pod or job. `undefined` for all other containers.
 *
 * @example
 * initializerOf({ name: 'x', image: 'ghcr.io/kubeflow/trainer/dataset-initializer' }) // => 'dataset'
 */
export function initializerOf(
  container: Pick<Container, 'name' | 'image' | 'command'>,
  labels: Readonly<Record<string, string>> = {},
): Initialized | undefined {
  if (container.command !== undefined && container.command.length > 0) return undefined
  const found =
    IMAGE.exec(container.image ?? '') ?? NAME.exec(container.name) ?? NAME.exec(labels[ANCESTOR_LABEL] ?? '')
  return found?.[1] as Initialized | undefined
}
