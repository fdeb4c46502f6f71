import { Environment } from '@marcbachmann/cel-js'
import { registerLists, Sets } from './cel-lists.ts'
import { registerNetwork } from './cel-network.ts'
import { registerQuantities } from './cel-quantity.ts'
import { registerHas } from './has-macro.ts'

/** What a rule can use: CEL with optional values, the functions of Kubernetes, `self` and `oldSelf`. */
export function ruleEnvironment(): Environment {
  const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
    .registerType('Sets', { ctor: Sets, fields: {} })
    .registerVariable('self', 'dyn')
    .registerVariable('oldSelf', 'dyn')
  return registerHas(registerNetwork(registerQuantities(registerLists(environment))))
}
