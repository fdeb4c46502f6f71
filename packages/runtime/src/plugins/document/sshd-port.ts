import { type Container, LAUNCHER_NAME, SSHD_PORT_ANNOTATION } from '@trainjob/api'
import { upsertEnv } from '../../env.ts'
import type { Info } from '../../info.ts'
import { numberIn } from './number-in.ts'
import { trainingPods } from './training-pods.ts'

/** Open MPI's arguments of ssh. Source: kubeflow/trainer v2.3.0, pkg/constants (`OpenMPIEnvKeyRSHArgs`). */
const RSH_ARGS = 'OMPI_MCA_plm_rsh_args'

/** `sshdPort`: in the launcher's ssh arguments, and where the workers' sshd listens and is probed. */
export function listenOnSshdPort(info: Info): void {
  const port = numberIn(info.runtimeMetadata, SSHD_PORT_ANNOTATION)
  if (port === undefined) return
  for (const { containers } of info.podSets.filter(({ name }) => name === LAUNCHER_NAME)) {
    for (const container of containers) {
      const args = container.env?.find(({ name }) => name === RSH_ARGS)?.value
      if (args !== undefined) upsertEnv(container, [{ name: RSH_ARGS, value: `${args} -p ${port}` }])
    }
  }
  for (const { containers } of trainingPods(info)) {
    for (const container of containers.filter(runsSshd)) listenOn(container, port)
  }
}

function runsSshd({ command, args }: Container): boolean {
  return [...(command ?? []), ...(args ?? [])].some((word) => word === 'sshd' || word.endsWith('/sshd'))
}

function listenOn(container: Container, port: number): void {
  const words = [...(container.command ?? []), ...(container.args ?? [])]
  if (!words.includes('-p')) {
    const last = container.args?.length ? 'args' : 'command'
    container[last] = [...(container[last] ?? []), '-p', String(port)]
  }
  if (container.readinessProbe?.tcpSocket) {
    container.readinessProbe = {
      ...container.readinessProbe,
      tcpSocket: { ...container.readinessProbe.tcpSocket, port },
    }
  }
}
