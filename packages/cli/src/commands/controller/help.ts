import type { CommandHelp } from '../../help/command-help.ts'

export const controllerCrdsHelp: CommandHelp = {
  name: 'controller crds',
  summary: 'Print the CustomResourceDefinitions of a cluster',
  usage: ['controller crds [-o yaml|json] [--compat upstream]'],
  description: `Print the definitions of TrainJob, TrainingRuntime and ClusterTrainingRuntime, for kubectl apply.

They accept and refuse what the definitions of Kubeflow Trainer 2.3 do. They also keep fields of other forms, such as
trainer.resources, and leave runtimeRef.kind to the webhook of this project's controller, which translates the forms.
With --compat upstream they do neither, and no webhook of ours is needed.`,
  flags: [
    {
      flags: '-o, --output <form>',
      does: 'documents of YAML, or a List as JSON; else yaml',
      choices: ['yaml', 'json'],
    },
    { flags: '--compat <target>', does: "exactly what Kubeflow Trainer's own definitions say", choices: ['upstream'] },
  ],
  examples: [
    { does: 'install them', command: 'trainjob controller crds | kubectl apply --server-side -f -' },
    {
      does: 'what is different from what is there',
      command: 'trainjob controller crds | kubectl diff --server-side -f -',
    },
  ],
}
