import type { Container } from '@trainjob/api'
import { OMPI_HOSTFILE, SSH_VOLUME } from './plugins/mpi/constants.ts'

/** `launcher` starts the ranks, `worker` waits to be reached by ssh. */
export type MpiRole = 'launcher' | 'worker'

/**
 * What a rendered container does in an MPI job: a launcher has the hostfile, a worker runs sshd with the job's keys.
 * `undefined` for all other containers. Who runs containers without their images asks, because neither the keys nor
 * sshd's configuration are where the image has them.
 *
 * @example
 * mpiRoleOf({ name: 'node', env: [{ name: 'OMPI_MCA_orte_default_hostfile', value: '/etc/mpi/hostfile' }] }) // => 'launcher'
 * mpiRoleOf({ name: 'node', command: ['sshd'], volumeMounts: [{ name: 'mpi-ssh-auth', mountPath: '/root/.ssh' }] }) // => 'worker'
 */
export function mpiRoleOf({
  env = [],
  command = [],
  volumeMounts = [],
}: Pick<Container, 'name' | 'env' | 'command' | 'volumeMounts'>): MpiRole | undefined {
  if (env.some(({ name }) => name === OMPI_HOSTFILE)) return 'launcher'
  const servesShells = command[0]?.split('/').at(-1) === 'sshd' && volumeMounts.some(({ name }) => name === SSH_VOLUME)
  return servesShells ? 'worker' : undefined
}
