const escaped = /\\u(?:0000|d[89a-f])/i

/** Whether JSON text may contain escapes that Postgres rejects: NUL characters and lone surrogates. */
export function mayBeUnstorable(text: string) {
  return text.includes('\\u') && escaped.test(text)
}

/** Makes every string and key of a value storable in Postgres. */
export function makeStorable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(makeStorable)

  return Object.fromEntries(Object.entries(value).map(([key, member]) => [storableText(key), makeStorable(member)]))
}

/** Removes NUL characters and replaces lone surrogates. */
export function storableText(text: string) {
  const without = text.includes('\0') ? text.replaceAll('\0', '') : text

  return without.isWellFormed() ? without : without.toWellFormed()
}

/** Storable text of at most `maxLength` characters, with an ellipsis at the end of longer text. */
export function truncateStorable(text: string, maxLength: number) {
  return storableText(text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text)
}
