import {
  ANCESTOR_LABEL,
  ANCESTOR_TRAINER,
  type ClusterTrainingRuntime,
  type Container,
  FRAMEWORK_LABEL,
  LAUNCHER_NAME,
  NODE_NAME,
} from '@trainjob/api'

/** What makes one Open MPI runtime differ from another. */
export interface OpenMpiRuntime {
  readonly name: string
  readonly framework: string
  readonly image: string
}

/** User of the images, who may start sshd and owns the keys. */
const USER = 1000
const HOME = '/home/mpiuser'

/** Workers that serve ssh, and a launcher that starts once they do and is a node as well. */
export function openMpiRuntime({ name, framework, image }: OpenMpiRuntime): ClusterTrainingRuntime {
  const node: Container = { name: NODE_NAME, image, securityContext: { runAsUser: USER } }
  const sshd: Container = {
    ...node,
    command: ['/usr/sbin/sshd'],
    args: ['-De', '-f', `${HOME}/.sshd_config`],
    readinessProbe: { tcpSocket: { port: 2222 }, initialDelaySeconds: 5 },
  }
  const pod = (container: Container) => ({
    template: { spec: { securityContext: { fsGroup: USER }, containers: [container] } },
  })
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'ClusterTrainingRuntime',
    metadata: { name, labels: { [FRAMEWORK_LABEL]: framework } },
    spec: {
      mlPolicy: {
        numNodes: 1,
        mpi: {
          numProcPerNode: 1,
          mpiImplementation: 'OpenMPI',
          sshAuthMountPath: `${HOME}/.ssh`,
          runLauncherAsNode: true,
        },
      },
      template: {
        spec: {
          network: { publishNotReadyAddresses: true },
          successPolicy: { operator: 'All', targetReplicatedJobs: [LAUNCHER_NAME] },
          replicatedJobs: [
            { name: NODE_NAME, template: { spec: pod(sshd) } },
            {
              name: LAUNCHER_NAME,
              dependsOn: [{ name: NODE_NAME, status: 'Ready' }],
              template: { metadata: { labels: { [ANCESTOR_LABEL]: ANCESTOR_TRAINER } }, spec: pod(node) },
            },
          ],
        },
      },
    },
  }
}
