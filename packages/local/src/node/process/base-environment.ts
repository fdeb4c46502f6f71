/**
 * What a container process inherits from this machine besides the env of its pod: where programs, libraries and
 * certificates are, who and where the user is, how text is written. Nothing else, because anything else may be a
 * secret of the shell that started the engine (API keys, cloud credentials, tokens).
 */
const INHERITED: readonly string[] = [
  // programs and shared libraries
  'PATH',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'CUDA_HOME',
  'CUDA_PATH',
  // the user
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  // language and time
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  // the Python and Node installations in use
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'CONDA_DEFAULT_ENV',
  'PYENV_ROOT',
  'PYENV_VERSION',
  'NVM_DIR',
  // files of certificate authorities, without which downloads fail behind a company's proxy
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'NODE_EXTRA_CA_CERTS',
]

const PROXIES: readonly string[] = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy']

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The inherited variables that are set in `env`. Proxies are passed on unless their address carries a password. */
export function baseEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const base: Record<string, string> = { PATH: DEFAULT_PATH }
  for (const name of INHERITED) {
    const value = env[name]
    if (value !== undefined && value !== '') base[name] = value
  }
  for (const name of PROXIES) {
    const value = env[name]
    if (value !== undefined && value !== '' && !value.includes('@')) base[name] = value
  }
  return base
}
