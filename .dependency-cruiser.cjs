// Layers, from the top: each package may use what stands on a lower line, never above or beside it.
const layers = [
  ['cli'],
  ['dashboard'],
  ['kfp-components'],
  ['katib-adapter'],
  ['sdk'],
  ['local'],
  ['controller'],
  ['runtime', 'kube'],
  ['api'],
]
const upward = layers.flatMap((line, depth) => {
  const forbidden = layers.slice(0, depth + 1).flat()
  return line.map((name) => ({
    name: `${name}-uses-lower-layers-only`,
    severity: 'error',
    from: { path: `^packages/${name}/src` },
    to: { path: `^packages/(${forbidden.filter((other) => other !== name).join('|') || '-'})/src` },
  }))
})

module.exports = {
  forbidden: [
    ...upward,
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'kube-uses-nothing-of-ours',
      severity: 'error',
      from: { path: '^packages/kube/src' },
      to: { path: '^packages/(?!kube/)' },
    },
    {
      name: 'pure-core-uses-no-node',
      severity: 'error',
      from: { path: '^packages/(api|runtime)/src', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'api-uses-zod-and-yaml-only',
      severity: 'error',
      from: { path: '^packages/api/src', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm'], pathNot: 'node_modules/(zod|yaml)/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(build|dist)/' },
    enhancedResolveOptions: { conditionNames: ['import', 'default'], exportsFields: ['exports'] },
  },
}
