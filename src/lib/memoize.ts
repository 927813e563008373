/** Memoizes a function of short strings. A full cache is cleared, which is cheaper than tracking use. */
export function memoize<T extends {}>(compute: (text: string) => T, { max = 16_384, maxLength = 256 } = {}) {
  const results = new Map<string, T>()

  return (text: string) => {
    if (text.length > maxLength) return compute(text)
    const cached = results.get(text)

    if (cached !== undefined) return cached
    const result = compute(text)

    if (results.size >= max) results.clear()
    results.set(text, result)

    return result
  }
}
