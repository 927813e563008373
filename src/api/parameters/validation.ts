import type { FastifyRequest, FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { nounFor } from '#lib/counted.ts'
import type { Reasons } from '#lib/refusals.ts'
import { Problem } from '../problems/problems.ts'
import { coerce } from './coerce.ts'

/** Coerces and validates parameters. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema }) => {
  let compiled: Validator | undefined

  return given => {
    // Compiled on first use, because most routes of a process are never called.
    compiled ??= Compile(schema)
    const value = coerce(schema, given)

    return compiled.Check(value) ? { value } : { error: new InvalidParameters(readErrors(compiled.Errors(value))) }
  }
}

/** For parameters that are not a message of Fastify's. Throws what a route would answer. */
export function validatorOf<Schema extends TSchema>(schema: Schema) {
  const validate = compileValidator({ schema, method: '', url: '' })

  return (given: unknown) => {
    const { value, error } = validate(given) as { value: Static<Schema>; error?: Error }

    if (error) throw error

    return value
  }
}

/** `error` is one sentence; `message` is the same, or reasons by attribute as in other validation errors. */
export class InvalidParameters extends Problem {
  invalid: InvalidParameter[]
  /** The part of the request; set by Fastify. */
  validationContext?: (typeof parts)[number]

  constructor(invalid: InvalidParameter[]) {
    const sentence = invalid.map(({ path, reason }) => `${nameOf(path)} ${reason}`).join(', ')

    super(400, { error: sentence, message: invalid.every(({ reason }) => reason === missing) ? sentence : byAttribute(invalid) })
    this.invalid = invalid
  }
}

/** In the order in which Fastify checks them, up to the first that is invalid. */
const parts = ['params', 'body', 'querystring'] as const

/** Adds what is wrong with the parts of the request that Fastify did not come to. */
export function withLaterParts(error: InvalidParameters, request: FastifyRequest) {
  const { params, body, query } = request
  const given = { params, body, querystring: query }
  const later = parts.slice(parts.indexOf(error.validationContext!) + 1)
  const invalid = later.flatMap(part => invalidIn(request.getValidationFunction(part)?.(given[part])))
  const added = invalid.filter(({ path }) => !error.invalid.some(other => nameOf(other.path) === nameOf(path)))

  return added.length > 0 ? new InvalidParameters([...error.invalid, ...added]) : error
}

function invalidIn(answer: unknown) {
  const { error } = (answer ?? {}) as { error?: unknown }

  return error instanceof InvalidParameters ? error.invalid : []
}

interface InvalidParameter {
  path: string[]
  reason: string
}

const missing = 'is missing'

/** Reasons that tell the limit, by the keyword of the schema that sets it. */
const limits: Record<string, (limit: number) => string> = {
  minLength: limit => `is too short (minimum is ${limit} ${nounFor(limit, 'character')})`,
  maxLength: limit => `is too long (maximum is ${limit} ${nounFor(limit, 'character')})`,
  minItems: limit => `has too few items (minimum is ${limit})`,
  maxItems: limit => `has too many items (maximum is ${limit})`,
  minimum: limit => `must be greater than or equal to ${limit}`,
  maximum: limit => `must be less than or equal to ${limit}`
}

function readErrors(errors: FastifySchemaValidationError[]) {
  const specific = errors.filter(error => !isUnspecific(error) || !errors.some(other => isMoreSpecific(other, error)))
  const invalid = new Map<string, InvalidParameter>()

  for (const parameter of specific.flatMap(toInvalidParameters)) {
    const name = nameOf(parameter.path)

    if (!invalid.has(name)) invalid.set(name, parameter)
  }

  return [...invalid.values()]
}

/** In a union, errors of alternatives with another type are less specific than those of the alternative that almost matches. */
function isUnspecific({ keyword }: FastifySchemaValidationError) {
  return keyword === 'type' || keyword === 'anyOf'
}

function isMoreSpecific(other: FastifySchemaValidationError, than: FastifySchemaValidationError) {
  if (other.instancePath === than.instancePath) return !isUnspecific(other)

  return other.instancePath.startsWith(`${than.instancePath}/`)
}

function toInvalidParameters({ keyword, instancePath, params }: FastifySchemaValidationError): InvalidParameter[] {
  const path = instancePath.split('/').slice(1)

  if (keyword === 'required') return (params.requiredProperties as string[]).map(name => ({ path: [...path, name], reason: missing }))

  return [{ path, reason: reasonFor(keyword, params as { limit?: number }) }]
}

function reasonFor(keyword: string, { limit }: { limit?: number }) {
  if (keyword === 'enum' || keyword === 'const') return 'does not have a valid value'

  return (limit !== undefined && limits[keyword]?.(limit)) || 'is invalid'
}

/** The name in form notation: `variables[0][key]`. */
function nameOf(path: string[]) {
  if (path.length === 0) return 'body'

  return path.map((part, n) => (n === 0 && !/^\d+$/.test(part) ? part : `[${part}]`)).join('')
}

function byAttribute(invalid: InvalidParameter[]) {
  const reasons: Reasons = {}

  for (const { path, reason } of invalid) addReason(reasons, path.length > 0 ? path : ['body'], reason)

  return reasons
}

function addReason(reasons: Reasons, [name = '', ...rest]: string[], reason: string) {
  const existing = Object.hasOwn(reasons, name) ? reasons[name] : undefined

  if (rest.length === 0) reasons[name] = [reason]
  else if (!Array.isArray(existing)) {
    const inner = existing ?? {}

    reasons[name] = inner
    addReason(inner, rest, reason)
  }
}
