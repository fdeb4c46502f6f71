import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster } from '@trainjob/local'
import { main } from '../program.ts'
import { type CapturedIO, capturedIO } from './captured-io.ts'

/** A cluster that listens, and commands that talk to it as they would to any other. */
export interface LocalServer {
  /** Runs a command line to its end. */
  run(...argv: readonly string[]): Promise<{ exitCode: number; stdout: string; stderr: string }>
  /** Starts a command line that goes on until it is interrupted or done. */
  start(...argv: readonly string[]): CapturedIO & { readonly done: Promise<number> }
  /** Writes a manifest and answers its path. */
  file(name: string, text: string): string
  stop(): Promise<void>
}

export async function startLocalServer(): Promise<LocalServer> {
  const dir = mkdtempSync(join(tmpdir(), 'trainjob-cli-server-'))
  const cluster = await startCluster({ dir: join(dir, 'cluster'), restartBackoff: { initialMs: 10, maxMs: 20 } })
  const { kubeconfig } = await cluster.listen()
  writeFileSync(join(dir, 'kubeconfig'), kubeconfig(), { mode: 0o600 })
  const env = { KUBECONFIG: join(dir, 'kubeconfig'), HOME: dir, PATH: process.env.PATH }
  const start: LocalServer['start'] = (...argv) => {
    const captured = capturedIO({ env, cwd: dir })
    return { ...captured, done: main(argv, captured.io) }
  }
  return {
    start,
    run: async (...argv) => {
      const { done, stdout, stderr } = start(...argv)
      return { exitCode: await done, stdout: stdout(), stderr: stderr() }
    },
    file: (name, text) => {
      writeFileSync(join(dir, name), text)
      return join(dir, name)
    },
    stop: async () => {
      await cluster.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
