import { ANCESTOR_TRAINER, type Container, NODE_NAME } from '@trainjob/api'
import type { Info, PodSet } from '../../info.ts'

/** The pods that train: with the trainer's label, and the workers of an MPI launcher. */
export function trainingPods(info: Info): readonly PodSet[] {
  const isMpi = info.mlPolicy?.mpi !== undefined
  return info.podSets.filter(
    ({ ancestor, name }) => ancestor === ANCESTOR_TRAINER || (isMpi && ancestor === undefined && name === NODE_NAME),
  )
}

/** The container of each of them that trains. */
export function trainingContainers(info: Info): readonly Container[] {
  return trainingPods(info).flatMap(({ containers }) => containers.filter(({ name }) => name === NODE_NAME))
}
