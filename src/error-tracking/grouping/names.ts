const longest = 512
const mostKnown = 16_384
const longestKnown = 256

/**
 * Reads names, and knows what it read last: programs fail in the same few places again and again. Long names are cut,
 * and not kept: they may be pieces of far larger texts, which would be kept with them.
 */
export function remembered(read: (name: string) => string) {
  const known = new Map<string, string>()

  return (name: string) => {
    if (name.length > longestKnown) return read(name.slice(0, longest))
    let answer = known.get(name)

    if (answer === undefined) {
      answer = read(name)
      if (known.size >= mostKnown) known.clear()
      known.set(name, answer)
    }

    return answer
  }
}

/** The file without its folders, on any system. */
export function basename(path: string) {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
