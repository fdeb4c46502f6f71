import { type ConfigMap, ConfigMaps, type Container, type Pod, type Secret, Secrets, type Volume } from '@trainjob/api'
import { isNotFound, type Reader } from '@trainjob/kube'
import { type ServiceAccountTokens, type TokenWish, tokenKey } from '../tokens/service-account-tokens.ts'

/** Where what pods refer to is read. */
export interface ConfigReader {
  readonly reader: Pick<Reader, 'get'>
  readonly tokens: Pick<ServiceAccountTokens, 'token'>
}

/** ConfigMaps and Secrets that a pod refers to, by name; `undefined` for those that do not exist. */
export interface ConfigSources {
  readonly configMaps: ReadonlyMap<string, ConfigMap | undefined>
  readonly secrets: ReadonlyMap<string, Secret | undefined>
  /** Tokens of the pod's service account, by `tokenKey`. */
  readonly tokens: ReadonlyMap<string, string>
}

const NO_SOURCES: ConfigSources = { configMaps: new Map(), secrets: new Map(), tokens: new Map() }

/** Reads what the container's env and the volumes refer to; asks nothing, and at once, where nothing is referred to. */
export async function loadConfigSources(
  { reader, tokens }: ConfigReader,
  pod: Pod,
  container: Container,
  volumes: readonly Volume[],
  signal: AbortSignal,
): Promise<ConfigSources> {
  const { namespace = 'default' } = pod.metadata
  const wishes = new Map<string, TokenWish>()
  const configMaps = new Set<string>()
  const secrets = new Set<string>()
  const add = (names: Set<string>, name: string | undefined): void => {
    if (name !== undefined && name !== '') names.add(name)
  }
  for (const { valueFrom } of container.env ?? []) {
    add(configMaps, valueFrom?.configMapKeyRef?.name)
    add(secrets, valueFrom?.secretKeyRef?.name)
  }
  for (const from of container.envFrom ?? []) {
    add(configMaps, from.configMapRef?.name)
    add(secrets, from.secretRef?.name)
  }
  for (const volume of volumes) {
    add(configMaps, volume.configMap?.name)
    add(secrets, volume.secret?.secretName)
    for (const source of volume.projected?.sources ?? []) {
      add(configMaps, source.configMap?.name)
      add(secrets, source.secret?.name)
      const { serviceAccountToken } = source
      if (serviceAccountToken !== undefined) wishes.set(tokenKey(serviceAccountToken), serviceAccountToken)
    }
  }
  if (configMaps.size === 0 && secrets.size === 0 && wishes.size === 0) return NO_SOURCES
  const read = async <T>(names: Set<string>, get: (name: string) => Promise<T>): Promise<Map<string, T | undefined>> =>
    new Map(
      await Promise.all(
        [...names].map(async (name): Promise<[string, T | undefined]> => {
          try {
            return [name, await get(name)]
          } catch (error) {
            if (isNotFound(error)) return [name, undefined]
            throw error
          }
        }),
      ),
    )
  const [maps, keys, signed] = await Promise.all([
    read(configMaps, (name) => reader.get(ConfigMaps, { namespace, name }, { signal })),
    read(secrets, (name) => reader.get(Secrets, { namespace, name }, { signal })),
    Promise.all(
      [...wishes].map(async ([key, wish]): Promise<[string, string]> => [key, await tokens.token(pod, wish, signal)]),
    ),
  ])
  return { configMaps: maps, secrets: keys, tokens: new Map(signed) }
}
