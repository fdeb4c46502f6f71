/** A TrainJob of `nodes` nodes that run a shell command. */
export function trainJob(name: string, command: string, more: { nodes?: number; labels?: object; spec?: object } = {}) {
  const { nodes = 1, labels = {}, spec = {} } = more
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name, labels },
    spec: { runtimeRef: { name: 'plain' }, trainer: { numNodes: nodes, command: ['sh', '-c', command] }, ...spec },
  }
}

/** A TrainJob that only lies there. */
export function held(name: string, labels: object = {}) {
  return trainJob(name, 'true', { labels, spec: { suspend: true } })
}

/** A pod of containers that run shell commands. */
export function pod(name: string, containers: Readonly<Record<string, string>>, spec: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { pod: name } },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 1,
      containers: Object.entries(containers).map(([container, command]) => ({
        name: container,
        image: 'none',
        command: ['sh', '-c', command],
      })),
      ...spec,
    },
  }
}

/** A ConfigMap. */
export function configMap(name: string, data: object, labels: object = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data }
}
