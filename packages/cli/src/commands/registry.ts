import type { Execute } from '../command.ts'

type Load = () => Promise<Execute<never>>

/** Where each command's work lives. Nothing of it is loaded before it is asked for. */
const commands: Readonly<Record<string, Load>> = {
  run: async () => (await import('./run/run.ts')).run,
  'local up': async () => (await import('./local/up.ts')).localUp,
  'local down': async () => (await import('./local/down.ts')).localDown,
  'local status': async () => (await import('./local/status.ts')).localStatus,
  'local kubeconfig': async () => (await import('./local/kubeconfig.ts')).localKubeconfig,
  validate: async () => (await import('./validate/validate.ts')).validate,
  lint: async () => (await import('./lint/lint.ts')).lint,
  render: async () => (await import('./render/render.ts')).render,
  apply: async () => (await import('./apply/apply.ts')).apply,
  get: async () => (await import('./get/get.ts')).get,
  describe: async () => (await import('./describe/describe.ts')).describe,
  logs: async () => (await import('./logs/logs.ts')).logs,
  wait: async () => (await import('./wait/wait.ts')).wait,
  events: async () => (await import('./events/events.ts')).events,
  suspend: async () => (await import('./suspend/suspend.ts')).suspend,
  scale: async () => (await import('./scale/scale.ts')).scale,
  resume: async () => (await import('./resume/resume.ts')).resume,
  delete: async () => (await import('./delete/delete.ts')).deleteObjects,
  doctor: async () => (await import('./doctor/doctor.ts')).doctor,
  'controller crds': async () => (await import('./controller/crds.ts')).controllerCrds,
  version: async () => (await import('./version/version.ts')).printVersion,
}

/** The work of a command of the help table, by its name there. */
export async function loadCommand(name: string): Promise<Execute<unknown>> {
  const load = commands[name]
  if (load === undefined) throw new TypeError(`no work is registered for the command "${name}"`)
  // the parser read the flags by the same help table that the command's own flag type describes
  return (await load()) as Execute<unknown>
}
