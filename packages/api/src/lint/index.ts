export { type FixedManifest, fixManifest } from './fix-manifest.ts'
export { LINT_RULES, lint } from './lint.ts'
export type { LintFinding, LintRule, LintSubject } from './rule.ts'
export { UPSTREAM_LINKS } from './upstream-links.ts'
