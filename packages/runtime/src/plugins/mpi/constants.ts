/**
 * Names in MPI jobs. Sources: kubeflow/trainer v2.3.0, pkg/constants/constants.go; Open MPI, `ompi_info --all`
 * (a variable `OMPI_MCA_x` sets the parameter `x`).
 */
import { LAUNCHER_NAME, NODE_NAME } from '@trainjob/api'

export const SSH_SECRET_SUFFIX = '-mpi-ssh-auth'
export const SSH_VOLUME = 'mpi-ssh-auth'
/** Type of the Secret, and its keys. */
export const SSH_SECRET_TYPE = 'kubernetes.io/ssh-auth'
export const SSH_PRIVATE_KEY = 'ssh-privatekey'
export const SSH_PUBLIC_KEY = 'ssh-publickey'

/** The files of the Secret's volume. sshd refuses a private key that others can read. */
export const SSH_FILES: readonly { readonly key: string; readonly path: string; readonly mode: number }[] = [
  { key: SSH_PRIVATE_KEY, path: 'id_rsa', mode: 0o640 },
  { key: SSH_PUBLIC_KEY, path: 'id_rsa.pub', mode: 0o644 },
  { key: SSH_PUBLIC_KEY, path: 'authorized_keys', mode: 0o644 },
]
export const SSH_DEFAULT_MODE = 0o400
/** Where the keys are mounted when the policy does not say. */
export const DEFAULT_SSH_MOUNT_PATH = '/root/.ssh'

export const HOSTFILE_CONFIG_MAP_SUFFIX = '-mpi-hostfile'
export const HOSTFILE_VOLUME = 'mpi-hostfile'
export const HOSTFILE_FOLDER = '/etc/mpi'
export const HOSTFILE = 'hostfile'
export const HOSTFILE_MODE = 0o444

export const OMPI_HOSTFILE = 'OMPI_MCA_orte_default_hostfile'
export const OMPI_KEEP_FQDN = 'OMPI_MCA_orte_keep_fqdn_hostnames'
export const OMPI_SLOTS = 'OMPI_MCA_orte_set_default_slots'
export const OMPI_RSH_ARGS = 'OMPI_MCA_plm_rsh_args'
export const OMPI_RSH_ARGS_VALUE = '-o ConnectionAttempts=10'
/** Variables that the launcher hands to every rank, by `;`. */
export const OMPI_ENV_LIST = 'OMPI_MCA_mca_base_env_list'

/** Variables that the plugin sets and a TrainJob must not. */
export const MPI_RESERVED_ENV: ReadonlySet<string> = new Set([OMPI_HOSTFILE, OMPI_KEEP_FQDN, OMPI_SLOTS, OMPI_RSH_ARGS])

/** The replicated jobs that take part. */
export const MPI_JOBS: ReadonlySet<string> = new Set([NODE_NAME, LAUNCHER_NAME])
