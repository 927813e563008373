/** Makes a value one that events may share: nobody can change it, nor anything in it. */
export function share<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(Object.freeze(value))) share(member)

  return value
}

export function isShared(value: object) {
  return Object.isFrozen(value)
}
