import { isObject, type Json } from '#lib/json.ts'
import { parseSeveritySynonym } from '#lib/severity.ts'
import type { Attribute, Rule } from '../parse/mapping.ts'
import { parseStatus, payloadStatuses } from '../parse/parse-status.ts'
import type { Path } from '../parse/payload-reader.ts'
import { templateError } from '../parse/template.ts'

const maxSteps = 20
const maxLength = 255
const maxEntries = 50
const origins = ['path', 'join', 'template', 'constant'] as const
const notes = ['type', 'label'] as const
const members = [...origins, 'separator', 'values', 'when', ...notes]

/** Its message names the member that is wrong. */
export class InvalidRule extends Error {}

/** Validates a rule of a mapping. */
export function readRule(attribute: Attribute, rule: Json): Rule {
  const unknown = Object.keys(rule).find(name => !members.includes(name))

  if (unknown !== undefined) throw new InvalidRule(`${unknown} is not a field of a rule: ${members.join(', ')}`)
  if (origins.filter(name => rule[name] !== undefined).length !== 1) throw new InvalidRule(`must have one of ${origins.join(', ')}`)
  checkOrigin(rule)
  for (const name of notes) if (rule[name] !== undefined && !isText(rule[name])) throw new InvalidRule(`${name} must be a text`)
  if (rule.values !== undefined) checkValues(attribute, rule.values)
  else if (typeof rule.constant === 'string') checkValue(attribute, 'constant', rule.constant)
  if (rule.when !== undefined) checkCondition(rule.when)

  return rule
}

export function isPath(value: unknown): value is Path {
  return Array.isArray(value) && value.length > 0 && value.length <= maxSteps && value.every(isStep)
}

function isStep(step: unknown) {
  return typeof step === 'string' ? step.length <= maxLength : Number.isInteger(step) && Number(step) >= 0 && Number(step) <= 1_000_000
}

function checkOrigin({ path, join, separator, template, constant }: Json) {
  if (path !== undefined && !isPath(path)) throw new InvalidRule('path must be a list of names and indexes, such as ["event", "name"]')
  if (join !== undefined && !isListOf(join, isPath)) throw new InvalidRule('join must be a list of paths, such as [["host"], ["check"]]')
  if (separator !== undefined && (join === undefined || !isText(separator))) throw new InvalidRule('separator must be a text, beside join')
  if (constant !== undefined && !isText(constant)) throw new InvalidRule(`constant must be a text of at most ${maxLength} characters`)
  if (template === undefined) return
  if (!isText(template)) throw new InvalidRule(`template must be a text of at most ${maxLength} characters`)
  const error = templateError(template)

  if (error) throw new InvalidRule(`template ${error}`)
}

function checkValues(attribute: Attribute, values: unknown) {
  if (!isObject(values) || !isListOf(Object.entries(values), ([name, value]: unknown[]) => isText(name) && isText(value))) {
    throw new InvalidRule(`values must be 1 to ${maxEntries} texts by text, such as {"OK": "resolved", "*": "triggered"}`)
  }
  for (const [name, value] of Object.entries(values)) checkValue(attribute, `values.${name}`, value as string)
}

function checkValue(attribute: Attribute, name: string, value: string) {
  if (attribute === 'status' && !parseStatus(value)) throw new InvalidRule(`${name} must be one of ${payloadStatuses.join(', ')}`)
  if (attribute === 'severity' && !parseSeveritySynonym(value)) throw new InvalidRule(`${name} is not a severity`)
}

function checkCondition(when: unknown) {
  if (!isObject(when) || !isPath(when.path) || !isListOf(when.is, isText)) {
    throw new InvalidRule('when must have a path and texts, such as {"path": ["type"], "is": ["alert"]}')
  }
}

function isListOf<T>(list: unknown, isItem: (item: T) => boolean) {
  return Array.isArray(list) && list.length > 0 && list.length <= maxEntries && list.every(isItem)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxLength
}
