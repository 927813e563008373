/** Waits for something to become true, looking often; fails the test when it never does. */
export async function eventually<T>(
  look: () => Promise<T | undefined | false | null> | T | undefined | false | null,
  what: string,
  patienceMs = 60_000
): Promise<T> {
  const endsAt = Date.now() + patienceMs

  while (Date.now() < endsAt) {
    const found = await look()

    if (found) return found
    await new Promise(resolve => setTimeout(resolve, 15))
  }
  throw new Error(`never happened: ${what}`)
}
