import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startCluster } from '@trainjob/local'
import type { BuiltControlPlane } from '../control-plane/build.ts'
import { startControlPlane } from '../control-plane/start.ts'
import { startObserver } from './observer.ts'
import { addNode, type Stage } from './play.ts'

/** A cluster to play in, and its end. */
export interface OpenStage extends Stage {
  close(): Promise<void>
}

/** The embedded cluster, without the part that runs pods. */
export async function embeddedStage(): Promise<OpenStage> {
  const dir = await mkdtemp(path.join(tmpdir(), 'trainjob-traces-'))
  const cluster = await startCluster({ dir, nodeAgent: false, runtimes: [] })
  const { client } = cluster
  await addNode(client)
  const observer = await startObserver(client)
  return {
    client,
    observer,
    quietMs: 300,
    patienceMs: 300,
    async close() {
      await observer.stop()
      await cluster.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** A real control plane. Its Job controller takes up changes of pods a second late, and the machine may be busy. */
export async function realStage(built: BuiltControlPlane): Promise<OpenStage> {
  const plane = await startControlPlane(built)
  const { client } = plane
  try {
    await addNode(client)
    const observer = await startObserver(client)
    return {
      client,
      observer,
      quietMs: 1500,
      patienceMs: 8000,
      async close() {
        await observer.stop()
        await plane.stop()
      },
    }
  } catch (error) {
    await plane.stop()
    throw error
  }
}
