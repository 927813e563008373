/** What GitLab's headers say about a file, so that HEAD is enough to know it. Emitted under both names, as all twins. */
export function headersOf(file: Record<string, string | number | boolean>) {
  const { content: _content, ...members } = file
  const pairs = Object.entries(members).flatMap(([name, value]) => {
    const suffix = name.replaceAll('_', '-')

    return ['x-gitlab', 'x-service'].map(prefix => [`${prefix}-${suffix}`, encode(String(value))] as const)
  })

  return Object.fromEntries(pairs)
}

/** Headers hold ASCII. */
function encode(text: string) {
  return text.replaceAll(/[^\x20-\x7e]/gu, sign => encodeURIComponent(sign))
}
