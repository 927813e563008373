import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Problem, type Reasons } from '../problems/problems.ts'
import { coerce } from './coerce.ts'

/** Checks what a request carries, after making it fit; what still does not fit is told by name. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema }) => {
  let compiled: Validator | undefined

  return given => {
    // Only when somebody asks: most routes of a process are never called.
    compiled ??= Compile(schema)
    const value = coerce(schema, given)

    return compiled.Check(value) ? { value } : { error: new InvalidParameters(compiled.Errors(value)) }
  }
}

/** One sentence in `error`; in `message` the same, or the reasons by attribute, as with any attribute that is not valid. */
class InvalidParameters extends Problem {
  constructor(errors: FastifySchemaValidationError[]) {
    const findings = readFindings(errors)
    const sentence = findings.map(({ path, reason }) => `${nameOf(path)} ${reason}`).join(', ')

    super(400, { error: sentence, message: findings.every(({ reason }) => reason === missing) ? sentence : byAttribute(findings) })
  }
}

interface Finding {
  path: string[]
  reason: string
}

const missing = 'is missing'

function readFindings(errors: FastifySchemaValidationError[]) {
  const telling = errors.filter(error => !isVague(error) || !errors.some(other => tellsMore(other, error)))
  const findings = new Map<string, Finding>()

  for (const finding of telling.flatMap(toFindings)) {
    const name = nameOf(finding.path)

    if (!findings.has(name)) findings.set(name, finding)
  }

  return [...findings.values()]
}

/** Of several alternatives, one that never applied says less than the one that almost fit. */
function isVague({ keyword }: FastifySchemaValidationError) {
  return keyword === 'type' || keyword === 'anyOf'
}

function tellsMore(other: FastifySchemaValidationError, than: FastifySchemaValidationError) {
  if (other.instancePath === than.instancePath) return !isVague(other)

  return other.instancePath.startsWith(`${than.instancePath}/`)
}

function toFindings({ keyword, instancePath, params }: FastifySchemaValidationError): Finding[] {
  const path = instancePath.split('/').slice(1)

  if (keyword === 'required') return (params.requiredProperties as string[]).map(name => ({ path: [...path, name], reason: missing }))

  return [{ path, reason: keyword === 'enum' || keyword === 'const' ? 'does not have a valid value' : 'is invalid' }]
}

/** As a form would have it: `variables[0][key]`. */
function nameOf(path: string[]) {
  if (path.length === 0) return 'body'

  return path.map((part, n) => (n === 0 && !/^\d+$/.test(part) ? part : `[${part}]`)).join('')
}

function byAttribute(findings: Finding[]) {
  const reasons: Reasons = {}

  for (const { path, reason } of findings) place(reasons, path.length > 0 ? path : ['body'], reason)

  return reasons
}

function place(reasons: Reasons, [name = '', ...rest]: string[], reason: string) {
  const there = Object.hasOwn(reasons, name) ? reasons[name] : undefined

  if (rest.length === 0) reasons[name] = [reason]
  else if (!Array.isArray(there)) {
    const inner = there ?? {}

    reasons[name] = inner
    place(inner, rest, reason)
  }
}
