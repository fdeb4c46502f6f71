/** Where a server listens and what its clients show. */
export interface ServerAddress {
  /** `https://127.0.0.1:port`. */
  readonly url: string
  /** PEM. */
  readonly ca: string
  readonly token: string
}

/** A server that is measured, in processes of its own. It keeps TrainJobs and nothing acts on them. */
export interface MeasuredServer extends AsyncDisposable {
  readonly address: ServerAddress
  /** CPU time of all its processes so far, in ms. */
  cpuMs(): Promise<number>
  /** Resident memory of all its processes in MB, after what can be freed was freed. */
  residentMb(): Promise<number>
}
