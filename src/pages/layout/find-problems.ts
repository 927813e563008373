import type Type from 'typebox'
import { Errors } from 'typebox/value'
import { asSentence, type Problems } from './attempt.ts'

/** What the schema of the use case refuses, by field, in words that say what to enter. */
export function findProblems(schema: Type.TObject, body: unknown): Problems {
  const found = Errors(schema, body).map(({ instancePath, message }) => {
    const [, name = 'base'] = instancePath.split('/')

    return [name, asSentence(whatToEnter(schema.properties[name]) ?? message)]
  })

  return Object.fromEntries(found)
}

interface Property {
  type?: string
  'x-time'?: boolean
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  minItems?: number
  enum?: unknown[]
  const?: unknown
  items?: Property
  anyOf?: Property[]
}

function whatToEnter(property: Property = {}): string | undefined {
  const { type, minimum, maximum, minLength = 0, maxLength, anyOf = [] } = property

  if (property['x-time']) return 'enter a date such as 2030-12-31'
  if (property.enum || property.const) return 'choose one of the options'
  if (maxLength !== undefined)
    return minLength > 0 ? `enter ${minLength} to ${maxLength} characters` : `use at most ${maxLength} characters`
  if (type === 'array') return listText(property)
  if (type === 'integer') return `enter a whole number from ${minimum ?? 0}${maximum === undefined ? '' : ` to ${maximum}`}`

  return anyOf.map(whatToEnter).find(Boolean)
}

/** Problem of a text area, or of several checkboxes. */
function listText({ minItems = 0, maxItems, items = {} }: Property) {
  if (items.enum) return minItems > 0 ? 'choose at least one' : 'choose some of the options'

  return `enter at most ${maxItems} lines${items.maxLength ? ` of at most ${items.maxLength} characters` : ''}`
}
