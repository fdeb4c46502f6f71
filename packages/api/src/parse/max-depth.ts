/** Lists and mappings may lie this deep inside each other. Kubernetes' own objects stay below 30. */
export const MAX_DEPTH = 500

export const TOO_DEEP: string = `expected a document of reasonable depth, found one that is nested more than ${MAX_DEPTH} levels deep`
