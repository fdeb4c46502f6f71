import type { Pod } from '@trainjob/api'
import type { AddressBook } from './addresses.ts'
import { isHostOfGroup } from './pod-group.ts'

/** Under which name its job knows a pod. */
export function hostKey(pod: Pod): string {
  const { namespace = '', name = '' } = pod.metadata
  const { hostname = name, subdomain } = pod.spec
  return subdomain === undefined ? `${namespace}/${name}` : `${namespace}/${subdomain}/${hostname}`
}

/**
 * Replaces DNS names of the pods of one job by their addresses: `<hostname>.<subdomain>`, alone or followed by the
 * namespace, `svc` and the cluster's domain. Only names that pods of this job have, so `mnist.train` in
 * `python -m mnist.train` is left alone.
 */
export function createHostResolver(pod: Pod, addresses: Pick<AddressBook, 'of'>): (text: string) => string {
  const { subdomain } = pod.spec
  const { namespace = '' } = pod.metadata
  if (subdomain === undefined || subdomain === '') return (text) => text
  const pattern = new RegExp(
    `(?<![\\w.-])([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)\\.${subdomain}(?:\\.${namespace}(?:\\.svc(?:\\.cluster\\.local)?)?)?(?![\\w-]|\\.\\w)`,
    'g',
  )
  return (text) =>
    text.includes(`.${subdomain}`)
      ? text.replace(pattern, (name, host: string) =>
          isHostOfGroup(pod, host) ? addresses.of(`${namespace}/${subdomain}/${host}`) : name,
        )
      : text
}
