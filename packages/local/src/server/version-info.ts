/**
 * What `/version` says. Clients read the Kubernetes version whose API they may expect; the rest is for people.
 */
export const VERSION_INFO: Readonly<Record<string, string>> = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3-trainjob',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
}
