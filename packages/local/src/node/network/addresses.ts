/** Addresses of pods: one of this machine's loopback addresses each. */
export interface AddressBook {
  /** The address of the pod with this host name, now or later: the same until it is released. */
  of(host: string): string
  release(host: string): void
}

/**
 * On Linux every address of 127.0.0.0/8 works without set-up, so each pod gets its own and the servers of two pods
 * never meet on one port. Elsewhere only 127.0.0.1 exists.
 *
 * @param start where to begin, any number: engines that begin at different places rarely meet
 */
export function createAddressBook(platform: NodeJS.Platform, start: number): AddressBook {
  if (platform !== 'linux') return { of: () => '127.0.0.1', release() {} }
  const taken = new Map<string, number>()
  const used = new Set<number>()
  let next = start % SIZE
  return {
    of(host) {
      let number = taken.get(host)
      if (number === undefined) {
        while (used.has(next)) next = (next + 1) % SIZE
        number = next
        next = (next + 1) % SIZE
        used.add(number)
        taken.set(host, number)
      }
      return text(number)
    },
    release(host) {
      const number = taken.get(host)
      if (number === undefined) return
      taken.delete(host)
      used.delete(number)
    },
  }
}

/** 127.64–127.191, second byte 0–255, last byte 1–254: away from addresses that people and distributions use. */
const SIZE = 128 * 256 * 254

function text(number: number): string {
  const last = (number % 254) + 1
  const rest = Math.floor(number / 254)
  return `127.${64 + Math.floor(rest / 256)}.${rest % 256}.${last}`
}
