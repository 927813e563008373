const maxLength = 128

/** As in Sentry: `Send Reports` is `send-reports`. */
export function slugOf(given: unknown) {
  if (typeof given !== 'string') return ''
  const words = given
    .slice(0, 2 * maxLength)
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)

  return words.filter(Boolean).join('-').slice(0, maxLength)
}
