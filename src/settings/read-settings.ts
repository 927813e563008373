import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Setting } from './setting-types.ts'
import { Settings } from './settings.ts'

export type Environment = Record<string, string | undefined>

const declared = Object.entries(Settings.properties as unknown as Record<string, Setting>)

/** The settings, and one sentence for each value that is refused. An empty value counts as unset. */
export function readSettings(env: Environment) {
  const values: Record<string, unknown> = {}
  const problems: string[] = []

  for (const [name, setting] of declared) {
    const given = env[name] || env[setting.alias ?? name]
    const value = given ? convert(setting, given) : setting.default

    if (value === undefined) continue
    if (Value.Check(setting, value)) values[name] = Value.Decode(setting, value)
    else problems.push(`${name} must ${setting.rule}${setting.isSecret ? '' : `, not "${withoutPassword(String(given))}"`}.`)
  }

  return { values: values as Settings, problems }
}

/** A warning for each variable that looks like a misspelt setting, which would be ignored silently. */
export function findMisspelt(env: Environment) {
  return Object.keys(env)
    .filter(name => env[name] && !declared.some(([known, { alias }]) => name === known || name === alias))
    .flatMap(name => {
      const meant = declared.find(([known]) => isOneEditApart(name.replace(/^TOCSIN_/, ''), known))?.[0]

      if (meant) return [`${name} is not a setting and is ignored. Did you mean ${meant}?`]

      return name.startsWith('TOCSIN_') ? [`${name} is not a setting and is ignored. docs/configuration.md lists the settings.`] : []
    })
}

function convert(setting: TSchema, given: string) {
  if (Type.IsInteger(setting)) return /^\d+$/.test(given) ? Number(given) : given
  if (Type.IsBoolean(setting) && /^(true|false)$/.test(given)) return given === 'true'

  return given
}

function withoutPassword(given: string) {
  return given.replace(/\/\/[^/]*@/, '//***@')
}

/** Whether at most one letter is missing, added, replaced, or swapped with its neighbour. */
function isOneEditApart(a: string, b: string) {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  let end = 0

  while (start < shorter && a[start] === b[start]) start++
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [restOfA, restOfB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]

  return (restOfA.length <= 1 && restOfB.length <= 1) || (restOfA.length === 2 && restOfA === [...restOfB].reverse().join(''))
}
