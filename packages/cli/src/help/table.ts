import { applyHelp } from '../commands/apply/help.ts'
import { controllerCrdsHelp } from '../commands/controller/help.ts'
import { deleteHelp } from '../commands/delete/help.ts'
import { describeHelp } from '../commands/describe/help.ts'
import { doctorHelp } from '../commands/doctor/help.ts'
import { eventsHelp } from '../commands/events/help.ts'
import { getHelp } from '../commands/get/help.ts'
import { lintHelp } from '../commands/lint/help.ts'
import { localDownHelp, localKubeconfigHelp, localStatusHelp, localUpHelp } from '../commands/local/help.ts'
import { logsHelp } from '../commands/logs/help.ts'
import { renderHelp } from '../commands/render/help.ts'
import { resumeHelp } from '../commands/resume/help.ts'
import { runHelp } from '../commands/run/help.ts'
import { scaleHelp } from '../commands/scale/help.ts'
import { suspendHelp } from '../commands/suspend/help.ts'
import { validateHelp } from '../commands/validate/help.ts'
import { versionHelp } from '../commands/version/help.ts'
import { waitHelp } from '../commands/wait/help.ts'
import type { CommandGroup, CommandHelp } from './command-help.ts'

/** The list of commands, as the overview shows it. */
export const commandGroups: readonly CommandGroup[] = [
  { title: 'Here', commands: [runHelp, localUpHelp, localDownHelp, localStatusHelp, localKubeconfigHelp] },
  { title: 'Without a cluster', commands: [validateHelp, lintHelp, renderHelp] },
  {
    title: 'On a cluster, or here with --local',
    commands: [
      applyHelp,
      getHelp,
      describeHelp,
      logsHelp,
      waitHelp,
      eventsHelp,
      suspendHelp,
      resumeHelp,
      scaleHelp,
      deleteHelp,
    ],
  },
  { title: 'For a cluster', commands: [doctorHelp, controllerCrdsHelp] },
  { title: 'Other', commands: [versionHelp] },
]

export const allHelp: readonly CommandHelp[] = commandGroups.flatMap(({ commands }) => commands)
