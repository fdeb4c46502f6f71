import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fakeClock } from '../testing/fake-clock.ts'
import { type LoadClusterConfigOptions, loadClusterConfig } from './load-cluster-config.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kubeconfig-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

async function file(name: string, text: string): Promise<string> {
  const path = join(dir, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, text)
  return path
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const load = (options: LoadClusterConfigOptions = {}) => loadClusterConfig({ env: {}, homeDir: dir, ...options })

const CONFIG = `
apiVersion: v1
kind: Config
current-context: dev
clusters:
- name: dev
  cluster: {server: "https://dev:6443", certificate-authority-data: ${base64('CA')}}
- name: prod
  cluster: {server: "https://prod:6443", insecure-skip-tls-verify: true, tls-server-name: kubernetes}
contexts:
- name: dev
  context: {cluster: dev, user: alice, namespace: team-a}
- name: prod
  context: {cluster: prod, user: bob}
users:
- name: alice
  user: {token: secret}
- name: bob
  user: {username: bob, password: pass}
`

describe('loadClusterConfig', () => {
  test('takes the current context of ~/.kube/config', async () => {
    await file('.kube/config', CONFIG)
    const config = await load()
    expect(config).toMatchObject({ server: 'https://dev:6443', namespace: 'team-a', ca: 'CA' })
    expect(await config.credentials?.get()).toEqual({ headers: { authorization: 'Bearer secret' } })
  })

  test('takes another context, user and namespace when told', async () => {
    await file('.kube/config', CONFIG)
    const config = await load({ context: 'prod', namespace: 'x', as: 'carol', asGroups: ['a', 'b'] })
    expect(config).toMatchObject({
      server: 'https://prod:6443',
      namespace: 'x',
      insecureSkipTlsVerify: true,
      tlsServerName: 'kubernetes',
    })
    expect(await config.credentials?.get()).toEqual({
      headers: {
        authorization: `Basic ${base64('bob:pass')}`,
        'impersonate-user': 'carol',
        'impersonate-group': ['a', 'b'],
      },
    })
    const other = await load({ user: 'bob', token: 'mine' })
    expect(await other.credentials?.get()).toEqual({ headers: { authorization: 'Bearer mine' } })
    expect((await load({ context: 'prod' })).namespace).toBe('default')
  })

  test('merges the files of KUBECONFIG: the first definition wins, missing files do not matter', async () => {
    const first = await file('first', 'users: [{name: alice, user: {token: first}}]\nclusters: null\n')
    const second = await file('second', CONFIG)
    const config = await load({ env: { KUBECONFIG: ['', join(dir, 'missing'), first, second].join(delimiter) } })
    expect(config.server).toBe('https://dev:6443')
    expect(await config.credentials?.get()).toEqual({ headers: { authorization: 'Bearer first' } })
  })

  test('resolves relative paths in the folder of the file that names them', async () => {
    await file('certs/ca.pem', 'CA FILE')
    await file('certs/client.pem', 'CERT')
    await file('certs/client.key', 'KEY')
    const path = await file(
      'certs/config',
      JSON.stringify({
        'current-context': 'x',
        clusters: [{ name: 'x', cluster: { server: 'https://x', 'certificate-authority': 'ca.pem' } }],
        contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
        users: [{ name: 'x', user: { 'client-certificate': 'client.pem', 'client-key': 'client.key' } }],
      }),
    )
    expect(await load({ path })).toEqual({
      server: 'https://x',
      namespace: 'default',
      ca: 'CA FILE',
      cert: 'CERT',
      key: 'KEY',
    })
  })

  test('reads a token file again after a minute, or when the server refuses the token', async () => {
    const clock = fakeClock()
    await file('token', 'one\n')
    const path = await file('config', CONFIG.replace('{token: secret}', '{tokenFile: token, token: old}'))
    const { credentials } = await load({ path, clock })
    const token = async () => (await credentials?.get())?.headers?.authorization
    expect(await token()).toBe('Bearer one')
    await file('token', 'two')
    expect(await token()).toBe('Bearer one')
    await clock.advance(60_000)
    expect(await token()).toBe('Bearer two')
    await file('token', 'three')
    credentials?.refresh()
    expect(await token()).toBe('Bearer three')
    await rm(join(dir, 'token'))
    credentials?.refresh()
    expect(await token()).toBe('Bearer three')
  })

  test('uses the service account inside a pod, where there is no kubeconfig', async () => {
    await file('sa/ca.crt', 'CA')
    await file('sa/namespace', 'team-b\n')
    await file('sa/token', 'pod-token')
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
    const config = await load({ env, serviceAccountDir: join(dir, 'sa') })
    expect(config).toMatchObject({ server: 'https://[fd00::1]:443', ca: 'CA', namespace: 'team-b' })
    expect(await config.credentials?.get()).toEqual({ headers: { authorization: 'Bearer pod-token' } })
    await expect(load({ env, serviceAccountDir: dir })).rejects.toThrow(/expected the files of a service account/)
  })

  test('goes through the proxy of the environment, unless it is exempt', async () => {
    const path = await file('config', CONFIG)
    const env = { HTTPS_PROXY: 'proxy:3128' }
    expect((await load({ path, env })).proxyUrl).toBe('http://proxy:3128')
    expect((await load({ path, env: { ...env, no_proxy: 'x, dev:6443' } })).proxyUrl).toBeUndefined()
    expect((await load({ path, env, server: 'https://127.0.0.1:1' })).proxyUrl).toBeUndefined()
  })

  const faults: { name: string; config?: string; options?: LoadClusterConfigOptions; message: RegExp }[] = [
    { name: 'nothing at all', message: /found no cluster to talk to.*name a file with --kubeconfig/ },
    {
      name: 'a named file that is missing',
      options: { path: '/nonexistent/config' },
      message: /expected a kubeconfig at \/nonexistent\/config, found: no such file/,
    },
    { name: 'broken YAML', config: 'clusters: [', message: /expected YAML in .*config, found a fault/ },
    { name: 'another kind of file', config: '- 1', message: /expected a kubeconfig in .*, found a list/ },
    { name: 'a list that is none', config: 'clusters: 5', message: /expected a list in clusters of .*, found 5/ },
    { name: 'an entry without a name', config: 'users: [{user: {}}]', message: /expected a name in users\[0\]/ },
    {
      name: 'an unknown context',
      config: CONFIG,
      options: { context: 'nope' },
      message: /expected a context of the kubeconfig \("dev", "prod"\), found "nope"/,
    },
    {
      name: 'no current context',
      config: CONFIG.replace('current-context: dev', ''),
      message: /no current context; choose one of "dev", "prod" with --context/,
    },
    {
      name: 'a context whose user is missing',
      config: CONFIG.replace('user: alice', 'user: eve'),
      message: /expected a user of the kubeconfig \("alice", "bob"\), found "eve"/,
    },
    {
      name: 'a missing certificate',
      config: CONFIG.replace(/certificate-authority-data: \S+}/, 'certificate-authority: gone.pem}'),
      message: /expected a PEM file for certificate-authority at .*gone.pem/,
    },
  ]
  for (const { name, config, options, message } of faults) {
    test(`says what to do about ${name}`, async () => {
      if (config !== undefined) await file('.kube/config', config)
      await expect(load(options)).rejects.toMatchObject({ code: 'config', message: expect.stringMatching(message) })
    })
  }
})

describe('credential programs', () => {
  async function program(script: string): Promise<string> {
    const path = await file('login.mjs', `#!${process.execPath}\n${script}`)
    await chmod(path, 0o755)
    return path
  }
  const withExec = (command: string) =>
    file(
      'config',
      CONFIG.replace(
        '{token: secret}',
        `{exec: {apiVersion: client.authentication.k8s.io/v1, command: ${command}, interactiveMode: Never, provideClusterInfo: true, installHint: install it with npm}}`,
      ),
    )

  test('run once for requests at the same time, and again when the server refuses', async () => {
    const command = await program(`
      import { appendFileSync, readFileSync } from 'node:fs'
      appendFileSync(${JSON.stringify(join(dir, 'runs'))}, 'x')
      const count = readFileSync(${JSON.stringify(join(dir, 'runs'))}, 'utf8').length
      const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO)
      console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: 'ExecCredential', status: { token: info.spec.cluster.server + count } }))
    `)
    const { credentials } = await load({ path: await withExec(command), clock: fakeClock() })
    const answers = await Promise.all(Array.from({ length: 5 }, () => credentials?.get()))
    expect(answers.map((answer) => answer?.headers?.authorization)).toEqual(Array(5).fill('Bearer https://dev:64431'))
    credentials?.refresh()
    expect((await credentials?.get())?.headers?.authorization).toBe('Bearer https://dev:64432')
  })

  test('that fail are named, with their message and the hint of the kubeconfig', async () => {
    const command = await program(`console.error('please log in first'); process.exit(3)`)
    const { credentials } = await load({ path: await withExec(command), clock: fakeClock() })
    await expect(credentials?.get()).rejects.toThrow(
      /expected credentials for the user "alice" from the program ".*login.mjs".*found: please log in first; install it with npm/,
    )
    const missing = await load({ path: await withExec(join(dir, 'missing')), clock: fakeClock() })
    await expect(missing.credentials?.get()).rejects.toThrow(/ENOENT.*install it with npm/)
  })
})
