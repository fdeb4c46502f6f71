/** Source: volcano.sh/apis v1.14, pkg/apis/scheduling/v1beta1. */
export const VOLCANO_GROUP = 'scheduling.volcano.sh'
/** On a pod: which gang it belongs to. */
export const GROUP_NAME_ANNOTATION = 'scheduling.k8s.io/group-name'
/** On the runtime's template, or a patch's: the queue of the gang. */
export const QUEUE_ANNOTATION = 'scheduling.volcano.sh/queue-name'

/** Classes that every cluster has. */
export const SYSTEM_PRIORITY_CLASSES: ReadonlySet<string> = new Set(['system-cluster-critical', 'system-node-critical'])
