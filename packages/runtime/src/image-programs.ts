import type { Container } from '@trainjob/api'
import { INSTALLER_NAME, VIEW_ROOT } from './plugins/flux/constants.ts'

/** What a container takes out of its image, so that it cannot run without. */
export interface ImagePrograms {
  /** For people: a name. */
  readonly programs: string
  /** Folder in the image. */
  readonly folder: string
}

/**
 * What a rendered container copies from its image for other containers. `undefined` when it needs nothing but its
 * command. Who runs containers without their images asks, to say so before anything starts.
 *
 * @example
 * imageProgramsOf({ name: 'flux-installer' })?.programs // => 'Flux'
 */
export function imageProgramsOf({ name }: Pick<Container, 'name'>): ImagePrograms | undefined {
  return name === INSTALLER_NAME ? { programs: 'Flux', folder: VIEW_ROOT } : undefined
}
