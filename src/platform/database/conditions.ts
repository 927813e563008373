/** Conditions of a statement written by hand, and the values they are about, bound in their order. */
export class Conditions {
  readonly values: unknown[] = []
  #parts: string[] = []

  /** Each `?` stands for the next value. A value that is not there makes no condition. */
  add(sql: string, ...values: unknown[]) {
    if (values.some(value => value === undefined)) return this
    this.#parts.push(this.bind(sql, ...values))

    return this
  }

  bind(sql: string, ...values: unknown[]) {
    let n = this.values.length

    this.values.push(...values)

    return sql.replaceAll('?', () => `$${++n}`)
  }

  get sql() {
    return this.#parts.length > 0 ? this.#parts.join(' AND ') : 'true'
  }
}

/** What somebody searches for: within a name or path, or, when it is too short for that, as the whole of it. */
export function searched(conditions: Conditions, text = '') {
  const literal = text.trim().replace(/[\\%_]/g, '\\$&')

  if (literal === '') return conditions
  if (text.trim().length >= 3) return conditions.add('(name ILIKE ? OR full_path ILIKE ?)', `%${literal}%`, `%${literal}%`)

  return conditions.add('(name ILIKE ? OR full_path ILIKE ? OR full_path ILIKE ?)', literal, literal, `%/${literal}`)
}
