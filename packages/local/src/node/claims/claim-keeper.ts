import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, type Clock, createInformer, isNotFound } from '@trainjob/kube'
import { type PersistentVolumeClaim, PersistentVolumeClaims } from '../../jobset/volume-claims.ts'

/** Gives each claim its folder: it is bound as soon as it is there, and its data goes when it is deleted. */
export interface ClaimKeeper {
  /** Resolves when the signal has aborted and nothing is being removed. */
  run(signal: AbortSignal): Promise<void>
  /** A pod that used claims has gone. */
  released(): void
}

export interface ClaimKeeperOptions {
  readonly client: Client
  readonly clock: Clock
  /** Folders of claims, by namespace. */
  readonly dir: string
  /** Whether a pod that is here uses a claim. */
  readonly isUsed: (namespace: string, name: string) => boolean
  readonly onNote: (note: string) => void
}

const CLAIM_NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/

export function createClaimKeeper(options: ClaimKeeperOptions): ClaimKeeper {
  const { client, clock, dir, isUsed, onNote } = options
  const informer = createInformer({ client, clock, resource: PersistentVolumeClaims })
  /** Claims that were deleted while a pod used them. */
  const leaving = new Map<string, { namespace: string; name: string }>()
  const busy = new Set<Promise<void>>()

  function keep(work: Promise<void>): void {
    const settled = work.catch((error: Error) => onNote(`a claim's folder could not be cared for: ${error.message}`))
    busy.add(settled)
    void settled.finally(() => busy.delete(settled))
  }

  async function bind(claim: PersistentVolumeClaim): Promise<void> {
    const { namespace = 'default', name = '' } = claim.metadata
    const { status, spec } = claim as { status?: { phase?: string }; spec?: Record<string, unknown> }
    leaving.delete(`${namespace}/${name}`)
    if (status?.phase === 'Bound' || !CLAIM_NAME.test(name)) return
    await mkdir(join(dir, namespace, name), { recursive: true })
    const requested = (spec?.resources as { requests?: Record<string, unknown> } | undefined)?.requests
    const body = { status: { phase: 'Bound', accessModes: spec?.accessModes, capacity: requested } }
    try {
      await client.patch(
        PersistentVolumeClaims,
        { namespace, name },
        { type: 'merge', body },
        { subresource: 'status' },
      )
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  async function removeUnused(): Promise<void> {
    for (const [key, { namespace, name }] of leaving) {
      if (isUsed(namespace, name)) continue
      leaving.delete(key)
      await rm(join(dir, namespace, name), { recursive: true, force: true })
    }
  }

  informer.on(({ type, object }) => {
    const { namespace = 'default', name = '' } = object.metadata
    if (type !== 'deleted') keep(bind(object))
    else if (CLAIM_NAME.test(name)) {
      leaving.set(`${namespace}/${name}`, { namespace, name })
      keep(removeUnused())
    }
  })

  return {
    async run(signal) {
      await informer.run(signal)
      await Promise.all(busy)
    },
    released() {
      if (leaving.size > 0) keep(removeUnused())
    },
  }
}
