import { type Progress, progressLine } from './progress.ts'

/**
 * Where there is no live line: a line for what a reader of a log wants to know, as it happens — nodes wait for a
 * reason, all nodes are ready, something was restarted. `undefined` for everything else: nodes that come up or end one
 * by one are no news.
 */
export function createProgressNews(): (progress: Progress) => string | undefined {
  let told = ''
  let restartsTold = 0
  return (progress) => {
    const { state, ready, nodes, restarts, waiting } = progress
    if (state === 'Complete' || state === 'Failed') return undefined
    const news =
      restarts > restartsTold
        ? `restart ${restarts}`
        : state === 'Pending' || state === 'Suspended'
          ? `${state} ${waiting ?? ''}`
          : ready === nodes
            ? 'ready'
            : undefined
    if (news === undefined || news === told || news === 'Pending ') return undefined
    // all nodes are ready again after a restart: the restart was the news
    if (news === 'ready' && told.startsWith('restart')) return undefined
    told = news
    restartsTold = restarts
    return progressLine(progress, undefined)
  }
}
