const mostKnown = 16_384
const longestKnown = 256

/**
 * Reads texts, and knows what it read last, as the same few come again and again. Longer ones are read anew each time, and
 * senders who make up ever new ones do not fill the memory.
 */
export function remember<T>(read: (text: string) => T, { most = mostKnown, longest = longestKnown } = {}) {
  const known = new Map<string, T>()

  return (text: string) => {
    if (text.length > longest) return read(text)
    const before = known.get(text)

    if (before !== undefined) return before
    const found = read(text)

    if (known.size >= most) known.clear()
    known.set(text, found)

    return found
  }
}
