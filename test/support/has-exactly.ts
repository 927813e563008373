import type { Test } from 'tap'

/** Compares the fields that `expected` names, and every element of its arrays: `t.hasStrict` accepts further elements. */
export function hasExactly(t: Test, found: unknown, expected: object, message = 'the named fields are equal') {
  t.strictSame(pick(found, expected), expected, message)
}

function pick(found: unknown, expected: unknown): unknown {
  if (Array.isArray(found) && Array.isArray(expected)) {
    return found.map((item, index) => (index < expected.length ? pick(item, expected[index]) : item))
  }
  if (!isPlainObject(expected) || !found || typeof found !== 'object' || Array.isArray(found)) return found

  return Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, pick(found[key as keyof typeof found], value)]))
}

function isPlainObject(value: unknown): value is object {
  return !!value && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
}
