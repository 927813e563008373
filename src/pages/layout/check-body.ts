import type Type from 'typebox'
import { Errors } from 'typebox/value'
import { ValidationFailed } from '#api/problems/problems.ts'

/** Refuses what the schema of the REST API refuses. */
export function checkBody(schema: Type.TObject, body: unknown) {
  const reasons = Errors(schema, body).map(({ instancePath, message }): [string, string[]] => {
    const [, name = 'base', item] = instancePath.split('/')

    return [name, [(item === undefined && rangeText(schema.properties[name])) || message]]
  })

  if (reasons.length > 0) throw new ValidationFailed(Object.fromEntries(reasons))
}

interface Range {
  'x-time'?: boolean
  minimum?: number
  maximum?: number
  maxLength?: number
  anyOf?: Range[]
}

/** The days, numbers or lengths that a field accepts. */
function rangeText({ 'x-time': isTime, minimum, maximum, maxLength, anyOf = [] }: Range = {}): string | undefined {
  if (isTime) return 'enter a day such as 2030-12-31'
  if (maxLength !== undefined) return `enter 1 to ${maxLength} characters`

  return maximum === undefined ? anyOf.map(rangeText).find(Boolean) : `enter a whole number from ${minimum} to ${maximum}`
}
