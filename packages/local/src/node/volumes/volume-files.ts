import type { KeyToPath, Volume, VolumeProjection } from '@trainjob/api'
import type { ConfigSources } from '../env/config-sources.ts'
import { tokenKey } from '../tokens/service-account-tokens.ts'
import { type DownwardContext, downwardFiles } from './downward-files.ts'
import type { FileVolume } from './file-volume.ts'

/** The files of one source of a volume, or what is wrong with it. */
export type SourceFiles = FileVolume | string

/** Files of a configMap, secret or downwardAPI source; `undefined` for sources of other kinds. */
export function sourceFiles(
  source: Pick<Volume, 'configMap' | 'secret' | 'downwardAPI'>,
  sources: ConfigSources,
  context: DownwardContext,
): SourceFiles | undefined {
  if (source.configMap !== undefined) {
    const { name, items, defaultMode, optional } = source.configMap
    const map = sources.configMaps.get(name)
    if (map === undefined && optional !== true) return `configmap "${name}" not found`
    const files = new Map([
      ...Object.entries(map?.data ?? {}).map(([key, text]): [string, Buffer] => [key, Buffer.from(text)]),
      ...decoded(map?.binaryData),
    ])
    return { files, items, mode: defaultMode, optional }
  }
  if (source.secret !== undefined) {
    const { secretName, items, defaultMode, optional } = source.secret
    const secret = sources.secrets.get(secretName)
    if (secret === undefined && optional !== true) return `secret "${secretName}" not found`
    // Kubernetes' default of 0644 is meant for the one user of a container; here other users share the machine.
    return { files: new Map(decoded(secret?.data)), items, mode: defaultMode ?? 0o600, optional }
  }
  if (source.downwardAPI !== undefined) {
    const { items = [], defaultMode } = source.downwardAPI
    const said = downwardFiles(items, context)
    if (typeof said === 'string') return said
    const paths = [...said.files.keys()].map((path): KeyToPath => {
      const mode = said.modes.get(path)
      return { key: path, path, ...(mode !== undefined && { mode }) }
    })
    return { files: said.files, items: paths, mode: defaultMode }
  }
  return undefined
}

/** The files of every source of a projected volume, in order. */
export function projectedFiles(
  projections: readonly VolumeProjection[],
  defaultMode: number | undefined,
  sources: ConfigSources,
  context: DownwardContext,
): readonly FileVolume[] | string {
  const volumes: FileVolume[] = []
  for (const { configMap, secret, downwardAPI, serviceAccountToken, ...others } of projections) {
    if (serviceAccountToken !== undefined) {
      const { path } = serviceAccountToken
      const token = sources.tokens.get(tokenKey(serviceAccountToken)) ?? ''
      // whoever has it is the pod
      volumes.push({ files: new Map([[path, Buffer.from(token)]]), mode: defaultMode ?? 0o600 })
      continue
    }
    const source = {
      ...(configMap !== undefined && { configMap }),
      ...(secret !== undefined && { secret: { ...secret, secretName: secret.name } }),
      ...(downwardAPI !== undefined && { downwardAPI }),
    }
    const files = sourceFiles(source, sources, context)
    if (typeof files === 'string') return files
    if (files === undefined) {
      return `a projected source must be configMap, secret, downwardAPI or serviceAccountToken on this machine, not ${Object.keys(others)[0] ?? 'empty'}`
    }
    volumes.push(defaultMode === undefined ? files : { ...files, mode: defaultMode })
  }
  return volumes
}

function decoded(data: Record<string, string> | undefined): [string, Buffer][] {
  return Object.entries(data ?? {}).map(([key, text]) => [key, Buffer.from(text, 'base64')])
}
