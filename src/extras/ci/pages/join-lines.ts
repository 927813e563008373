/** `2026-11-25T03:23:46.309576Z 00O `: time and stream of the line; with `+` for the space, it continues the line before. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}Z [0-9a-f]{2}[OE]([ +])/

/** The lines of a log without what gitlab-runner writes before each. */
export function joinLines(log: string) {
  const joined: string[] = []

  for (const line of log.split('\n')) {
    const [before = '', flag] = timestamp.exec(line) ?? []
    const text = line.slice(before.length)

    if (flag === '+' && joined.length > 0) joined.push(joined.pop()! + text)
    else joined.push(text)
  }

  return joined
}
