import { expect, it } from 'vitest'
import { render } from '../../render.ts'
import { aRuntime, aTrainJob, containerOf, envOf, jobSetOf } from '../../testing/objects.ts'

it('tells training code where to report, with what certificate and token', () => {
  const statusServer = { url: 'https://server:10443', caCertificate: 'PEM' }
  const { objects } = render(aTrainJob(), aRuntime(), { statusServer })
  expect(objects[0]).toMatchObject({
    kind: 'ConfigMap',
    metadata: { name: 'job-tls-config' },
    data: { 'ca.crt': 'PEM' },
  })
  expect(envOf(containerOf(objects))).toEqual({
    KUBEFLOW_TRAINER_SERVER_URL:
      'https://server:10443/apis/trainer.kubeflow.org/v1alpha1/namespaces/ns/trainjobs/job/status',
    KUBEFLOW_TRAINER_SERVER_CA_CERT: '/var/run/secrets/kubeflow/trainer/ca.crt',
    KUBEFLOW_TRAINER_SERVER_TOKEN: '/var/run/secrets/kubeflow/trainer/token',
  })
  const [volume] = jobSetOf(objects).spec.replicatedJobs?.[0]?.template.spec?.template.spec?.volumes ?? []
  expect(volume?.projected?.sources?.[0]?.serviceAccountToken?.audience).toBe(
    'trainer.kubeflow.org/v1alpha1/namespaces/ns/trainjobs/job/status',
  )
})

it('says nothing without a server', () => {
  expect(render(aTrainJob(), aRuntime()).objects.map(({ kind }) => kind)).toEqual(['JobSet'])
})
