import path from 'node:path'
import type { Credentials } from './credentials.ts'

export const PORTS = ['etcd', 'etcdPeer', 'api', 'controllers', 'scheduler', 'jobSetWebhooks', 'jobSetHealth'] as const

/** Where each part listens on 127.0.0.1. */
export type Ports = Readonly<Record<(typeof PORTS)[number], number>>

/** Controllers of kube-controller-manager that run: those that have to do with Jobs and with what is deleted. */
const CONTROLLERS = [
  'job-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'ttl-after-finished-controller',
  'pod-garbage-collector-controller',
] as const

/** More requests than the API server can take, so that it is not the clients who hold back. */
const UNLIMITED = ['--kube-api-qps=1000', '--kube-api-burst=2000'] as const

/** What would need parts that are not here: service accounts, the node's life, the protection of volumes. */
const WITHOUT_ADMISSION = ['ServiceAccount', 'TaintNodesByCondition', 'StorageObjectInUseProtection'] as const

export function etcdArguments(ports: Ports, data: string): string[] {
  const client = `http://127.0.0.1:${ports.etcd}`
  const peer = `http://127.0.0.1:${ports.etcdPeer}`
  return [
    `--data-dir=${data}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ]
}

export function apiServerArguments(ports: Ports, credentials: Credentials): string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--secure-port=${ports.api}`,
    `--tls-cert-file=${credentials.cert}`,
    `--tls-private-key-file=${credentials.key}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=RBAC',
    `--token-auth-file=${credentials.tokens}`,
    `--disable-admission-plugins=${WITHOUT_ADMISSION.join(',')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${credentials.accountPublicKey}`,
    `--service-account-signing-key-file=${credentials.accountKey}`,
  ]
}

export function controllerManagerArguments(
  ports: Ports,
  credentials: Credentials,
  kubeconfig: string,
  folder: string,
): string[] {
  return [
    ...componentArgs(ports.controllers, kubeconfig, path.join(folder, 'controllers')),
    `--controllers=${CONTROLLERS.join(',')}`,
    `--service-account-private-key-file=${credentials.accountKey}`,
    '--concurrent-job-syncs=20',
    ...UNLIMITED,
  ]
}

export function schedulerArguments(ports: Ports, kubeconfig: string, folder: string): string[] {
  return [...componentArgs(ports.scheduler, kubeconfig, path.join(folder, 'scheduler')), ...UNLIMITED]
}

function componentArgs(port: number, kubeconfig: string, certificates: string): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${certificates}`,
    '--authentication-skip-lookup',
  ]
}
