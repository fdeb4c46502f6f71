/**
 * What fields of `events.k8s.io` are called in the core group, whose objects they are stored as, and the other way round:
 * a name of the one group means nothing in the other (source: kubernetes 1.36, pkg/apis/events/v1/conversion.go).
 */
export const EVENT_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    regarding: 'involvedObject',
    note: 'message',
    reportingController: 'reportingComponent',
    deprecatedSource: 'source',
    deprecatedFirstTimestamp: 'firstTimestamp',
    deprecatedLastTimestamp: 'lastTimestamp',
    deprecatedCount: 'count',
  }).flatMap(([name, core]) => [
    [name, core],
    [core, name],
  ]),
)
