import type { Container, ContainerPort } from '@trainjob/api'
import type { Info } from './info.ts'

/** Puts a port into a container, in place of the same one. Replaces `container.ports`. */
export function addPort(info: Info, container: Container, port: ContainerPort): void {
  const isSame = info.deviates('unnamed-ports') ? isSamePort : isSamePortUpstream
  const ports = container.ports === undefined ? [] : container.ports.slice()
  const at = ports.findIndex((other) => isSame(other, port))
  if (at === -1) ports.push(port)
  else ports[at] = port
  container.ports = ports
}

/** The same number and protocol, or the same name. */
function isSamePort(a: ContainerPort, b: ContainerPort): boolean {
  return (
    (a.containerPort === b.containerPort && (a.protocol ?? 'TCP') === (b.protocol ?? 'TCP')) ||
    (a.name !== undefined && a.name === b.name)
  )
}

/** Upstream's notion: the same number or the same name, and no name is a name too. */
function isSamePortUpstream(a: ContainerPort, b: ContainerPort): boolean {
  return a.containerPort === b.containerPort || a.name === b.name
}

/**
 * What upstream does to the ports of every container: it puts each one into the list it comes from, which overwrites
 * ports that count as the same. Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/jobset/jobset.go (Build).
 */
export function collapsePortsUpstream(container: Container): void {
  if (container.ports === undefined || container.ports.length < 2) return
  const ports = container.ports.slice()
  for (let i = 0; i < ports.length; i++) {
    const port = ports[i] as ContainerPort
    const at = ports.findIndex((other) => isSamePortUpstream(other, port))
    ports[at] = port
  }
  container.ports = ports
}
