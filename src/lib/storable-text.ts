const escaped = /\\u(?:0000|d[89a-f])/i

/** Whether JSON text has escapes for what Postgres refuses in text: null bytes and halves of surrogate pairs. */
export function mayBeUnstorable(text: string) {
  return text.includes('\\u') && escaped.test(text)
}

/** The value with every string and key as Postgres takes it. */
export function makeStorable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(makeStorable)

  return Object.fromEntries(Object.entries(value).map(([key, member]) => [storableText(key), makeStorable(member)]))
}

/** Without null bytes, and with half surrogate pairs replaced. */
export function storableText(text: string) {
  const without = text.includes('\0') ? text.replaceAll('\0', '') : text

  return without.isWellFormed() ? without : without.toWellFormed()
}
