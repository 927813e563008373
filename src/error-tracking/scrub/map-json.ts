import type { Json } from '../../lib/json.ts'

/** Maps the members of an object; undefined removes one. Returns the same object when nothing changes. */
export function mapMembers(object: Json, map: (value: unknown, key: string) => unknown): Json {
  let copy: Json | undefined

  for (const key in object) {
    const value = object[key]
    const result = map(value, key)

    if (result === value) continue
    copy ??= { ...object }
    if (result === undefined) delete copy[key]
    else copy[key] = result
  }

  return copy ?? object
}

/** Maps the elements of a list; undefined removes one. Returns the same list when nothing changes. */
export function mapElements(list: unknown[], map: (value: unknown, index: number) => unknown): unknown[] {
  let isChanged = false
  const results = list.map((element, index) => {
    const result = map(element, index)

    isChanged ||= result !== element

    return result
  })

  return isChanged ? results.filter(result => result !== undefined) : list
}
