/** Acts on all items at the same time, waits for every one of them, and then throws the first failure if there was one. */
export async function sideBySide<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const results = await Promise.allSettled(items.map(act))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
