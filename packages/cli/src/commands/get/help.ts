import type { CommandHelp } from '../../help/command-help.ts'
import { connectionFlags, selectorFlag } from '../../help/shared-flags.ts'

export const getHelp: CommandHelp = {
  name: 'get',
  summary: 'List TrainJobs, runtimes and what belongs to them',
  usage: ['get [NAME...] [flags]', 'get KIND [NAME...] [flags]', 'get KIND/NAME... [flags]'],
  description: `List TrainJobs, runtimes and what belongs to them.

KIND is trainjobs (which may be left out), runtimes, clustertrainingruntimes, trainingruntimes, jobsets, jobs, pods,
events, nodes, configmaps, secrets or services; a singular or a short name will do.`,
  flags: [
    ...connectionFlags,
    { flags: '-A, --all-namespaces', does: 'of all namespaces' },
    selectorFlag,
    { flags: '--field-selector <query>', does: 'only objects with these fields, as in `metadata.name=mnist`' },
    { flags: '-o, --output <form>', does: 'json, yaml, name, wide, jsonpath=TEMPLATE or custom-columns=NAME:PATH,...' },
    { flags: '-w, --watch', does: 'go on printing what changes' },
    { flags: '--no-headers', does: 'no line with the names of the columns' },
    { flags: '--show-labels', does: 'one more column: the labels' },
  ],
  examples: [
    { does: 'all jobs of the namespace', command: 'trainjob get' },
    { does: 'a job, as it is stored', command: 'trainjob get mnist -o yaml' },
    { does: 'the runtimes to choose from', command: 'trainjob get runtimes' },
    { does: 'one field', command: "trainjob get mnist -o jsonpath='{.status.conditions[*].type}'" },
    {
      does: 'columns of your own',
      command: 'trainjob get -A -o custom-columns=NAME:.metadata.name,RUNTIME:.spec.runtimeRef.name',
    },
  ],
}
