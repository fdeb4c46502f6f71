import type { KubeObject } from '../object.ts'
import type { Resource } from '../resource.ts'

/** Points at an object, as in `involvedObject`. */
export interface ObjectReference {
  apiVersion?: string
  kind?: string
  namespace?: string
  name?: string
  uid?: string
  resourceVersion?: string
  fieldPath?: string
}

/** `core/v1` Event, as far as a recorder writes it. */
export interface EventObject extends KubeObject {
  involvedObject: ObjectReference
  reason?: string
  message?: string
  type?: string
  count?: number
  firstTimestamp?: string
  lastTimestamp?: string
  source?: { component?: string; host?: string }
  reportingComponent?: string
  reportingInstance?: string
}

/** Where events are served. */
export const EventObjects: Resource<EventObject> = {
  group: '',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
}
