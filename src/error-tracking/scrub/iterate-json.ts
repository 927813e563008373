export type Json = Record<string, unknown>

/** The object, or a copy of it where a member changed; undefined leaves it out. */
export function eachMember(object: Json, look: (value: unknown, key: string, owner: Json) => unknown): Json {
  let copy: Json | undefined

  for (const key in object) {
    const value = object[key]
    const result = look(value, key, object)

    if (result === value) continue
    copy ??= { ...object }
    if (result === undefined) delete copy[key]
    else copy[key] = result
  }

  return copy ?? object
}

/** The list, or one with what it became; undefined leaves an element out. */
export function eachElement(list: unknown[], look: (value: unknown, n: number) => unknown): unknown[] {
  let isChanged = false
  const results = list.map((element, n) => {
    const result = look(element, n)

    isChanged ||= result !== element

    return result
  })

  return isChanged ? results.filter(result => result !== undefined) : list
}
