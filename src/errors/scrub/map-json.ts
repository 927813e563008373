import type { Json } from '#lib/json.ts'

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

/** Renames the members of an object; of several with the same name, all are kept. Returns the same object when nothing changes. */
export function mapKeys(object: Json, rename: (key: string) => string): Json {
  const keys = Object.keys(object)

  if (keys.every(key => rename(key) === key)) return object
  const renamed: Json = {}

  for (const key of keys) {
    const name = rename(key)
    let unique = name

    for (let n = 2; unique !== key && Object.hasOwn(renamed, unique); n++) unique = `${name} ${n}`
    renamed[unique] = object[key]
  }

  return renamed
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
