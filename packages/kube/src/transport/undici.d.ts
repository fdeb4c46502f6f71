// The parts of undici that a request needs; its main entry loads fetch, WebSockets and caches too, three times as long.
declare module 'undici/lib/dispatcher/agent.js' {
  import type { Agent } from 'undici'

  const agent: typeof Agent
  // biome-ignore lint/style/noDefaultExport: it is how undici exports it
  export default agent
}

declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici'

  function request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>
  // biome-ignore lint/style/noDefaultExport: it is how undici exports it
  export default request
}
