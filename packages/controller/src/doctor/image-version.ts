/** A version as numbers: `v0.10.1` is `[0, 10, 1]`. */
export type Version = readonly [number, number, number]

/** The version in the tag of an image, also before a digest; nothing where the tag is none, like `latest`. */
export function imageVersion(image: string): Version | undefined {
  const match = /:v?(\d+)\.(\d+)(?:\.(\d+))?[^/@]*(?:@|$)/.exec(image)
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)]
}

/** Whether a version comes before another. */
export function isBefore(a: Version, b: Version): boolean {
  const at = a.findIndex((part, index) => part !== b[index])
  return at !== -1 && (a[at] as number) < (b[at] as number)
}

/** As people write it. */
export function versionText(version: Version): string {
  return `v${version.join('.')}`
}
