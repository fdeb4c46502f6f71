import fc from 'fast-check'

/** Values that are zero in Go appear often on purpose: they vanish or not, by field. */
const text = fc.constantFrom('', 'a', 'b', 'x-1')
const word = fc.constantFrom('a', 'b', 'x-1')
const flag = fc.boolean()
const small = fc.constantFrom(0, 1, 5, 30)

/** Quantities in canonical and other forms. */
const quantity = fc.oneof(
  fc.constantFrom(
    '1',
    '2',
    '0',
    '500m',
    '0.5',
    '1.5',
    '1000m',
    '1024Mi',
    '8Gi',
    '1500Mi',
    '1e3',
    '2k',
    '1000',
    '100n',
    '1.5Gi',
  ),
  fc.constantFrom(1, 4),
)

const labels = fc.dictionary(fc.constantFrom('team', 'app', 'example.com/tier'), word, { maxKeys: 2 })

/** Metadata of a template; upstream keeps labels and annotations. */
export const templateMetadata = partial({ labels, annotations: labels })

/** Of the resources of a pod; never two kinds of GPUs, between which upstream chooses at random. */
const resourceList = fc.oneof(
  {
    weight: 3,
    arbitrary: partial({
      // more CPUs than an int32 holds wrap around in upstream's process count
      cpu: quantity.filter((value) => !/[MG]i$/.test(String(value))),
      memory: quantity,
      'ephemeral-storage': quantity,
    }),
  },
  fc.dictionary(fc.constantFrom('cpu', 'nvidia.com/gpu'), fc.constantFrom('1', '2', '0', 4)),
)

export const resources = partial({
  limits: resourceList,
  requests: resourceList,
  claims: fc.uniqueArray(word, { minLength: 1, maxLength: 2 }).map((names) => names.map((name) => ({ name }))),
})

const source = fc.oneof(
  fc.record({
    fieldRef: fc.record(
      { fieldPath: fc.constant('metadata.name'), apiVersion: fc.constant('v1') },
      { requiredKeys: ['fieldPath'] },
    ),
  }),
  fc.record({
    resourceFieldRef: fc.record(
      { resource: fc.constant('limits.cpu'), containerName: word, divisor: quantity },
      { requiredKeys: ['resource'] },
    ),
  }),
  fc.record({ configMapKeyRef: fc.record({ key: word, name: word, optional: flag }, { requiredKeys: ['key'] }) }),
  fc.record({ secretKeyRef: fc.record({ key: word, name: word, optional: flag }, { requiredKeys: ['key'] }) }),
  fc.record({
    fileKeyRef: fc.record(
      { volumeName: word, path: word, key: word, optional: flag },
      { requiredKeys: ['volumeName', 'path', 'key'] },
    ),
  }),
)

/** A list of variables with the given names. */
export function env(names: fc.Arbitrary<string>): fc.Arbitrary<Record<string, unknown>[]> {
  const variable = fc.oneof(
    { weight: 3, arbitrary: partial({ value: text }) },
    { weight: 1, arbitrary: fc.record({ valueFrom: source }) },
  )
  return fc
    .uniqueArray(names, { maxLength: 4 })
    .chain((list) => fc.tuple(...list.map((name) => variable.map((rest) => ({ name, ...rest })))))
}

const ports = fc.uniqueArray(
  fc.record(
    {
      containerPort: fc.constantFrom(29500, 8080, 9090),
      name: fc.constantFrom('http', 'grpc'),
      protocol: fc.constantFrom('TCP', 'UDP'),
      hostPort: small,
    },
    { requiredKeys: ['containerPort'] },
  ),
  { maxLength: 3, selector: ({ containerPort, protocol = 'TCP' }) => `${containerPort}/${protocol}` },
)

const probe = fc.oneof(
  fc.record({ httpGet: partial({ path: text, port: fc.constantFrom(80, 'http') }, ['port']) }),
  fc.record({ exec: partial({ command: fc.array(word, { maxLength: 2 }) }) }),
  fc.record({ grpc: fc.record({ port: fc.constant(1) }) }),
  fc.record({ tcpSocket: fc.record({ port: fc.constant(22) }), initialDelaySeconds: small, periodSeconds: small }),
)

const volumeMounts = fc.uniqueArray(
  partial(
    {
      mountPath: fc.constantFrom('/a', '/b', '/etc/mpi', '/mnt/flux', '/root/.ssh'),
      name: fc.constantFrom('initializer', 'v'),
      readOnly: flag,
      subPath: text,
    },
    ['mountPath', 'name'],
  ),
  { maxLength: 2, selector: ({ mountPath }) => mountPath },
)

const securityContext = partial({
  runAsUser: small,
  runAsNonRoot: flag,
  privileged: flag,
  capabilities: partial({ add: fc.array(fc.constant('NET_ADMIN'), { maxLength: 1 }) }),
})

/** A container of that name. */
function container(name: string): fc.Arbitrary<Record<string, unknown>> {
  return partial({
    image: fc.constantFrom('img', 'img:2', ''),
    command: fc.oneof(fc.array(word, { maxLength: 2 }), fc.constant(['tune', 'output_dir=/out', 'epochs=1'])),
    args: fc.array(text, { maxLength: 2 }),
    workingDir: text,
    env: env(
      fc.constantFrom(
        'A',
        'B',
        'PET_NNODES',
        'STORAGE_URI',
        'FLUX_VIEW_IMAGE',
        'JAX_PROCESS_ID',
        'DMLC_TASK_ID',
        'OMPI_MCA_plm_rsh_args',
      ),
    ),
    envFrom: fc.array(fc.record({ secretRef: fc.record({ name: word }) }), { maxLength: 1 }),
    ports,
    resources,
    volumeMounts,
    readinessProbe: probe,
    lifecycle: partial({ preStop: fc.record({ sleep: fc.record({ seconds: small }) }) }),
    securityContext,
    tty: flag,
    imagePullPolicy: fc.constantFrom('', 'Always'),
  }).map((rest) => ({ name, ...rest }))
}

const volumes = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom('initializer', 'v', 'w', 'mpi-ssh-auth', 'flux-install'),
      source: fc.oneof(
        fc.record({ emptyDir: partial({ medium: text, sizeLimit: quantity }) }),
        fc.record({ configMap: partial({ name: word, defaultMode: small, optional: flag }) }),
        fc.record({
          secret: partial({
            secretName: word,
            items: fc.array(fc.record({ key: word, path: word }), { maxLength: 1 }),
          }),
        }),
        fc.record({ persistentVolumeClaim: partial({ claimName: word, readOnly: flag }, ['claimName']) }),
        fc.record({
          projected: fc.record({
            sources: fc.array(
              fc.record({ serviceAccountToken: partial({ path: word, expirationSeconds: small }, ['path']) }),
              {
                maxLength: 2,
              },
            ),
          }),
        }),
        fc.record({ iscsi: fc.record({ targetPortal: word, iqn: word, lun: fc.constant(0) }) }),
        fc.record({
          ephemeral: fc.record({
            volumeClaimTemplate: fc.record({
              spec: partial({ resources: partial({ requests: fc.record({ storage: quantity }) }) }),
            }),
          }),
        }),
      ),
    }),
    { maxLength: 2, selector: ({ name }) => name },
  )
  .map((list) => list.map(({ name, source: from }) => ({ name, ...from })))

const tolerations = fc.array(
  partial({ key: text, operator: fc.constantFrom('Exists', 'Equal'), effect: text, tolerationSeconds: small }),
  {
    maxLength: 2,
  },
)

const affinity = partial({
  podAntiAffinity: fc.record({
    requiredDuringSchedulingIgnoredDuringExecution: fc.array(
      fc.record({ topologyKey: word, labelSelector: partial({ matchLabels: labels }) }),
      { maxLength: 1 },
    ),
  }),
  nodeAffinity: partial({
    preferredDuringSchedulingIgnoredDuringExecution: fc.array(
      fc.record({
        weight: fc.constant(1),
        preference: partial({
          matchExpressions: fc.array(fc.record({ key: word, operator: fc.constant('Exists') }), { maxLength: 1 }),
        }),
      }),
      { maxLength: 1 },
    ),
  }),
})

/** The pod fields that runtimes and patches share. */
const sharedPodFields = {
  serviceAccountName: word,
  nodeSelector: labels,
  tolerations,
  affinity,
  volumes,
  imagePullSecrets: fc.uniqueArray(word, { maxLength: 2 }).map((names) => names.map((name) => ({ name }))),
  schedulingGates: fc.uniqueArray(word, { maxLength: 1 }).map((names) => names.map((name) => ({ name }))),
  terminationGracePeriodSeconds: small,
  securityContext: partial({ fsGroup: small, runAsNonRoot: flag, sysctls: fc.constant([]) }),
}

/** Sidecars are init containers that are restarted. */
const restart = partial({ restartPolicy: fc.constant('Always') })

/** A pod spec with containers of those names, and some more fields. */
export function podSpec(
  containers: readonly string[],
  initContainers: readonly string[],
): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .tuple(
      fc.tuple(...containers.map(container)),
      fc.tuple(
        ...initContainers.map((name) => fc.tuple(container(name), restart).map(([one, more]) => ({ ...one, ...more }))),
      ),
      partial({
        ...sharedPodFields,
        resources: partial({ requests: resourceList, limits: resourceList }),
        restartPolicy: fc.constantFrom('Never', 'OnFailure'),
        hostNetwork: flag,
        enableServiceLinks: flag,
        priorityClassName: fc.constantFrom('', 'high', 'high', 'low', 'system-node-critical'),
        hostAliases: fc.constantFrom([], [{ ip: '10.0.0.1', hostnames: ['h'] }]),
        overhead: resourceList,
        topologySpreadConstraints: fc.constantFrom(
          [],
          [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
        ),
        dnsConfig: partial({
          searches: fc.array(word, { maxLength: 1 }),
          options: fc.constant([{ name: 'ndots', value: '1' }]),
        }),
      }),
    )
    .map(([main, init, rest]) => ({
      containers: main,
      ...(init.length === 0 ? {} : { initContainers: init }),
      ...rest,
    }))
}

/** What a patch may set in a pod spec, for containers of those names. */
export function podSpecPatch(
  containers: readonly string[],
  initContainers: readonly string[],
): fc.Arbitrary<Record<string, unknown>> {
  return partial({
    ...sharedPodFields,
    containers: fc.subarray([...containers]).chain((names) => fc.tuple(...names.map(containerPatch))),
    initContainers: fc.subarray([...initContainers]).chain((names) => fc.tuple(...names.map(containerPatch))),
  })
}

const OWN_ENV = ['node', 'dataset-initializer', 'model-initializer']

function containerPatch(name: string): fc.Arbitrary<Record<string, unknown>> {
  const rest = partial({
    volumeMounts,
    securityContext,
    ...(OWN_ENV.includes(name) ? {} : { env: env(fc.constantFrom('A', 'B', 'C')) }),
  })
  return rest.map((fields) => ({ name, ...fields }))
}

/** A record in which each field may be absent, but for those named. */
export function partial<T extends Record<string, unknown>, K extends keyof T = never>(
  fields: { [key in keyof T]: fc.Arbitrary<T[key]> },
  required: readonly K[] = [],
): fc.Arbitrary<Partial<T> & Pick<T, K>> {
  return fc.record(fields, { requiredKeys: [...required] }) as fc.Arbitrary<Partial<T> & Pick<T, K>>
}
