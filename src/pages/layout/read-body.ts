import type { FastifyRequest } from 'fastify'
import type Type from 'typebox'
import { Check } from 'typebox/value'
import { fromLocalTime } from '#lib/zoned-time.ts'
import { chosenOf } from './forms.ts'
import { readerZone } from './reader-zone.ts'

interface Property extends Type.TSchema {
  type?: string
  'x-time'?: boolean
  anyOf?: Property[]
  items?: Property
}

/** The values of a form as they were typed, and as the body that the schema describes. */
export function readBody(request: FastifyRequest, { properties, ...schema }: Type.TObject, verbatim: string[]) {
  const required = schema.required as string[] | undefined
  const values: Record<string, unknown> = {}
  const body: Record<string, unknown> = {}

  for (const [name, property] of Object.entries(properties) as [string, Property][]) {
    const given = chosenOf(request, name).map(text => clean(text, verbatim.includes(name)))
    const type = typeOf(property)

    values[name] = type === 'boolean' ? given.some(text => text !== '') : type === 'array' ? linesIn(given) : (given[0] ?? '')
    // A field that the page does not show is not changed.
    if (given.length > 0 || required?.includes(name) || type === 'boolean' || type === 'array') {
      body[name] = toMember(values[name], property, readerZone(request))
    }
  }

  return { values, body }
}

/** Browsers send line breaks as CRLF. */
function clean(text: string, isVerbatim: boolean) {
  const cleaned = text.replaceAll('\0', '').replaceAll('\r\n', '\n')

  return isVerbatim ? cleaned : cleaned.trim()
}

/** Values of a text area, or of several checkboxes. */
function linesIn(given: string[]) {
  return given
    .flatMap(text => text.split('\n'))
    .map(line => line.trim())
    .filter(Boolean)
}

function toMember(value: unknown, property: Property, zone: string): unknown {
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(item => toMember(item, property.items ?? innerOf(property).items!, zone))
  const text = value as string

  if (text === '' && Check(property, null)) return null
  if (isNumber(property)) return text === '' ? Number.NaN : Number(text)
  // A time without a zone is one of the reader's clock.
  if (innerOf(property)['x-time'] && text.includes('T')) return fromLocalTime(text, zone)?.toISOString() ?? text

  return text
}

function isNumber(property: Property) {
  return ['integer', 'number'].includes(typeOf(property) ?? '')
}

function typeOf(property: Property): string | undefined {
  const { type, enum: values = [] } = innerOf(property) as Property & { enum?: unknown[] }

  return type ?? typeof values[0]
}

/** Without null, and the first of several alternatives. */
function innerOf(property: Property): Property {
  const [first] = property.anyOf?.filter(({ type }) => type !== 'null') ?? []

  return first ? innerOf(first) : property
}
