import fc from './properties.ts'

const surrogates = { first: 0xd800, count: 0x800 }

/** Any character that there is; the library's own list of them takes a second to make. */
const character = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map(code => String.fromCodePoint(code < surrogates.first ? code : code + surrogates.count))

export function anyText(bounds: { minLength?: number; maxLength?: number } = {}) {
  return fc.string({ unit: character, ...bounds })
}
