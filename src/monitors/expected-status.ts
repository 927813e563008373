const part = /^(?:([1-5])xx|([1-5]\d\d)(?:\s*-\s*([1-5]\d\d))?)$/i

/** Statuses as text, such as `2xx` or `200, 301-304`: the ranges that it names. Undefined when it names something else. */
export function parseExpectedStatus(text: string) {
  const ranges = text.split(',').map(one => {
    const [match, hundred, from, to = from] = part.exec(one.trim()) ?? []

    if (!match) return undefined

    return hundred ? ([Number(hundred) * 100, Number(hundred) * 100 + 99] as const) : ([Number(from), Number(to)] as const)
  })

  return ranges.every(range => range !== undefined && range[0] <= range[1]) ? ranges.map(range => range!) : undefined
}

export function isExpectedStatus(text: string, status: number) {
  return parseExpectedStatus(text)?.some(([from, to]) => from <= status && status <= to) ?? false
}
