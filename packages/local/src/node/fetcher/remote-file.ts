/** One file that can be fetched. */
export interface RemoteFile {
  /** Relative, with `/` between folders, as the other side names it: not to be trusted. */
  readonly path: string
  /** Bytes, where known beforehand. */
  readonly size?: number | undefined
  /** Changes with the content; a broken download goes on only under the same one. */
  readonly version?: string | undefined
  /** The content from a byte on. */
  open(from: number, signal: AbortSignal): Promise<OpenFile>
}

export interface OpenFile {
  /** Where the content really begins: 0 when the other side cannot begin elsewhere. */
  readonly from: number
  /** Bytes of the whole file, where known. */
  readonly size?: number | undefined
  readonly chunks: AsyncIterable<Uint8Array>
}

/** A place that files come from. */
export interface Source {
  /** For people. */
  readonly name: string
  list(signal: AbortSignal): Promise<readonly RemoteFile[]>
}
