import path from 'node:path'
import { type Ended, type RunOptions, runProgram } from '../run-program.ts'
import type { ServedCluster } from './served-cluster.ts'

/** kubectl in one namespace of a cluster. */
export interface Kubectl {
  /** What it prints; rejects when it fails. */
  (...args: readonly string[]): Promise<string>
  /** Lines that it prints, without columns' padding: cells joined by one space. */
  rows(...args: readonly string[]): Promise<string[]>
  /** How it fails; rejects when it does not. */
  fails(...args: readonly string[]): Promise<Ended>
  /** With an input, other variables and the like; whatever the outcome. */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>
  /** `kubectl apply -f -`, `create -f -` or `replace -f -` of an object. */
  send(verb: readonly string[], object: object): Promise<string>
}

/** `namespace` must exist. */
export function kubectlOf(bin: string, { kubeconfig, dir }: ServedCluster, namespace: string): Kubectl {
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    KUBECONFIG: kubeconfig,
    KUBECACHEDIR: path.join(dir, 'kube-cache'),
    TZ: 'UTC',
  }
  const run: Kubectl['run'] = (args, options = {}) =>
    runProgram(path.join(bin, 'kubectl'), ['--namespace', namespace, ...args], {
      cwd: dir,
      ...options,
      env: { ...env, ...options.env },
    })
  const succeed = async (args: readonly string[], options?: RunOptions): Promise<string> => {
    const { code, stdout, stderr } = await run(args, options)
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`)
    return stdout
  }
  return Object.assign((...args: readonly string[]) => succeed(args), {
    run,
    async rows(...args: readonly string[]) {
      const text = await succeed(args)
      return text
        .trimEnd()
        .split('\n')
        .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    },
    async fails(...args: readonly string[]) {
      const ended = await run(args)
      if (ended.code === 0) throw new Error(`kubectl ${args.join(' ')} succeeded: ${ended.stdout}`)
      return ended
    },
    send: (verb: readonly string[], object: object) => succeed([...verb, '-f', '-'], { input: JSON.stringify(object) }),
  })
}
