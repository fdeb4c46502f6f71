/**
 * What a server writes for `manager` of a runtime patch that has only the document's `managerKey`. It must tell items
 * apart by `manager` before any webhook is asked, so server-side apply refuses two that are unnamed and shows this text.
 */
export const UNNAMED_MANAGER = 'trainjob.dev/unnamed (several managerKey need kubectl apply without --server-side)'
