import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { coerce } from '#api/parameters/coerce.ts'
import { isStorable } from '#api/parameters/text.ts'
import type { Json } from '#lib/json.ts'
import { line } from '#lib/markdown.ts'
import { InvalidInput } from '#lib/refusals.ts'

/** Coerces and validates the arguments of a tool. Errors name the argument and say what fits. */
export function argumentReader(name: string, schema: TObject) {
  const validator = Compile(schema)
  const names = Object.keys(schema.properties)

  return (given: Json) => {
    const unknown = Object.keys(given).filter(argument => !names.includes(argument))

    if (unknown.length > 0) throw new UnknownArguments(name, unknown, names)
    const value = coerce(schema, given) as Json

    if (!validator.Check(value)) throw new InvalidInput(validator.Errors(value).map(describe).join('; '))
    for (const [argument, text] of Object.entries(value)) refuseUnstorable(argument, text)

    return value
  }
}

class UnknownArguments extends InvalidInput {
  override code = 'unknown_arguments'

  constructor(tool: string, unknown: string[], names: string[]) {
    super(`${tool} has no argument ${unknown.slice(0, 5).map(quote).join(', ')}; it has ${names.join(', ')}`)
  }
}

type Problem = ReturnType<ReturnType<typeof Compile>['Errors']>[number]

function describe({ keyword, instancePath, params, message }: Problem) {
  const [argument = ''] = instancePath.split('/').slice(1)

  if (keyword === 'required') return `${(params as { requiredProperties: string[] }).requiredProperties.join(', ')} is missing`
  if (keyword === 'enum') return `${argument} must be one of ${(params as { allowedValues: unknown[] }).allowedValues.join(', ')}`
  if (keyword === 'pattern' && (params as { pattern: unknown }).pattern === notBlank) return `${argument} must not be blank`

  return `${argument} ${message}`
}

/** The pattern of text that is not only white space. */
export const notBlank = '\\S'

/** Postgres can store neither. */
function refuseUnstorable(argument: string, value: unknown) {
  for (const text of [value].flat()) {
    if (typeof text === 'string' && !isStorable(text))
      throw new InvalidInput(`${argument} must not contain NUL characters or lone surrogates`)
  }
}

function quote(name: string) {
  return JSON.stringify(line(name, 50))
}
