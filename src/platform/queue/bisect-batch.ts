export interface FailedItem {
  item: unknown
  reason: string
}

/** Runs halves of a failed batch until only the failing items are left, and returns those. All other items are processed. */
export async function bisectBatch(
  items: unknown[],
  error: unknown,
  run: (items: unknown[]) => Promise<unknown>,
  isInterrupted: (error: unknown) => boolean
): Promise<FailedItem[]> {
  if (isInterrupted(error)) throw error
  if (items.length === 1) return [{ item: items[0], reason: (error as Error).message }]
  const middle = Math.ceil(items.length / 2)
  const failedItems: FailedItem[] = []

  for (const half of [items.slice(0, middle), items.slice(middle)]) {
    try {
      await run(half)
    } catch (error) {
      failedItems.push(...(await bisectBatch(half, error, run, isInterrupted)))
    }
  }

  return failedItems
}
