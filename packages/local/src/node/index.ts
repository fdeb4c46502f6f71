export { podAdmission } from './admission.ts'
export { createNodeAgent, type NodeAgent, type NodeAgentOptions } from './agent.ts'
export { detectGpus } from './detect-gpus.ts'
export { capacityOf, type Machine, readMachine } from './machine.ts'
