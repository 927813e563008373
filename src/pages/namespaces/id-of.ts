/** The id that a query or a field names. */
export function idOf(text: string | undefined) {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
