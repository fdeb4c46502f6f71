/** Where torchrun's nodes meet, and how. Source: pytorch, torch/distributed/run.py and rendezvous/c10d_rendezvous_backend.py. */
const ENDPOINT = 'PET_RDZV_ENDPOINT'
const CONF = 'PET_RDZV_CONF'
const LOCAL_ADDR = 'PET_LOCAL_ADDR'

/**
 * What torchrun would work out by itself if its nodes were machines: which of them keeps the meeting (all of their
 * addresses are this machine's, so that each one thinks it does) and by which address a node is found (not by the
 * machine's own name, which on a laptop often resolves to nothing). Nothing for programs that do not meet that way, and
 * nothing that the container says itself.
 *
 * @param env with the names that the manifest uses
 */
export function rendezvousEnv(
  env: ReadonlyMap<string, string>,
  hostname: string,
  ip: string,
): Readonly<Record<string, string>> {
  const endpoint = env.get(ENDPOINT)
  if (endpoint === undefined || env.get('PET_RDZV_BACKEND') !== 'c10d') return {}
  const conf = env.get(CONF) ?? ''
  const isHost = endpoint.split(/[.:]/)[0] === hostname
  return {
    ...(!/(^|,)\s*is_host\s*=/.test(conf) && { [CONF]: `${conf && `${conf},`}is_host=${isHost}` }),
    ...(!env.has(LOCAL_ADDR) && { [LOCAL_ADDR]: ip }),
  }
}
