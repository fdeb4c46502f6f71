/** What a server writes for `manager` of a runtime patch that has only the document's `managerKey`. */
export const UNNAMED_MANAGER = 'trainjob.dev/unnamed'
