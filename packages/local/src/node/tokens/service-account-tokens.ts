import type { Pod } from '@trainjob/api'
import type { Client, Clock, KubeObject, Resource } from '@trainjob/kube'

/** What a volume says about the token that it wants. */
export interface TokenWish {
  /** The API server itself when left out. */
  readonly audience?: string | undefined
  /** An hour when left out. */
  readonly expirationSeconds?: number | undefined
}

/** Tokens of the pods of a node: each is asked for once, and again before it expires. */
export interface ServiceAccountTokens {
  /** Rejects as the client does. */
  token(pod: Pod, wish: TokenWish, signal: AbortSignal): Promise<string>
  /** The pod is gone. */
  forget(uid: string): void
}

/** Key of a wish: pods may have several. */
export function tokenKey({ audience = '', expirationSeconds = HOUR_SECONDS }: TokenWish): string {
  return `${expirationSeconds} ${audience}`
}

const HOUR_SECONDS = 3600
/** The part of its time after which a token is made anew, and the longest that one is used (source: kubelet, token_manager.go). */
const USED_PART = 0.8
const LONGEST_USE_MS = 24 * 3600 * 1000

interface TokenRequest extends KubeObject {
  spec?: {
    audiences?: readonly string[]
    expirationSeconds?: number
    boundObjectRef?: { apiVersion: string; kind: string; name: string; uid: string }
  }
  status?: { token: string; expirationTimestamp: string }
}

const TOKEN_REQUESTS: Resource<TokenRequest> = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
}

interface Answer {
  readonly token: string
  /** Counted from when it was asked for: the clocks of node and server may differ. */
  readonly lifeMs: number
}

interface Kept {
  readonly token: Promise<string>
  cancel: () => void
}

/** @param onDue a pod has a token that should be made anew: it is asked for again */
export function createServiceAccountTokens(
  client: Pick<Client, 'create'>,
  clock: Clock,
  onDue: (uid: string) => void,
): ServiceAccountTokens {
  /** By uid of the pod, then by wish. */
  const pods = new Map<string, Map<string, Kept>>()

  async function request(pod: Pod, wish: TokenWish, signal: AbortSignal): Promise<Answer> {
    const { name = '', namespace = 'default', uid = '' } = pod.metadata
    const account = pod.spec.serviceAccountName || 'default'
    const body: TokenRequest = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { name: account, namespace },
      spec: {
        ...(wish.audience !== undefined && wish.audience !== '' && { audiences: [wish.audience] }),
        expirationSeconds: wish.expirationSeconds ?? HOUR_SECONDS,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
      },
    }
    const { spec, status } = await client.create(TOKEN_REQUESTS, body, { subresource: 'token', signal })
    if (status === undefined) throw new Error(`the API server gave no token for service account ${account}`)
    const seconds = spec?.expirationSeconds ?? wish.expirationSeconds ?? HOUR_SECONDS
    return { token: status.token, lifeMs: seconds * 1000 }
  }

  return {
    token(pod, wish, signal) {
      const uid = pod.metadata.uid ?? ''
      const key = tokenKey(wish)
      const known = pods.get(uid) ?? new Map<string, Kept>()
      const found = known.get(key)
      if (found !== undefined) return found.token
      pods.set(uid, known)
      const made = request(pod, wish, signal)
      const kept: Kept = { token: made.then(({ token }) => token), cancel() {} }
      known.set(key, kept)
      void made.then(
        ({ lifeMs }) => {
          if (known.get(key) !== kept) return
          kept.cancel = clock.after(Math.min(lifeMs * USED_PART, LONGEST_USE_MS), () => {
            known.delete(key)
            onDue(uid)
          })
        },
        () => known.delete(key),
      )
      return kept.token
    },
    forget(uid) {
      for (const { cancel } of pods.get(uid)?.values() ?? []) cancel()
      pods.get(uid)?.clear()
      pods.delete(uid)
    },
  }
}
