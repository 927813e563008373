import { BadParameter, ValidationFailed } from '../../http/problems/problems.ts'
import { isEmail } from '../../identity/users/user-attributes.ts'
import { eventDefaults, type Field, type IntegrationEvents, type IntegrationType } from './integration-types.ts'
import type { Values } from './project-integration.ts'

/** Sorts what a request gives for an integration. Fields of other integrations are ignored, an empty text removes a field. */
export function readFields({ fields }: IntegrationType, given: Record<string, unknown>) {
  const properties: Values = {}
  const secrets: Values = {}

  for (const [name, field] of Object.entries(fields)) {
    const value = given[name] as string | boolean | undefined

    checkField(name, field, value)
    if (value !== undefined) (field.isSecret ? secrets : properties)[name] = value
  }

  return { properties, secrets, events: readEvents(given) }
}

function checkField(name: string, { format, isRequired }: Field, value: string | boolean | undefined) {
  if (value === undefined && isRequired) throw new BadParameter(`${name} is missing`)
  if (value === '' && isRequired) throw new ValidationFailed({ [name]: ["can't be blank"] })
  if (!value || typeof value === 'boolean') return
  if (format === 'url' && !/^https?:$/.test(URL.parse(value)?.protocol ?? '')) {
    throw new ValidationFailed({ [name]: ['must be a valid http or https URL'] })
  }
  if (format === 'emails' && !isEmails(value)) throw new ValidationFailed({ [name]: ['must be e-mail addresses'] })
}

/** Separated by spaces or commas. */
function isEmails(text: string) {
  const emails = text.split(/[\s,]+/).filter(Boolean)

  return emails.length > 0 && emails.every(isEmail)
}

function readEvents(given: Record<string, unknown>): Partial<IntegrationEvents> {
  return Object.fromEntries(Object.keys(eventDefaults).flatMap(name => (given[name] === undefined ? [] : [[name, given[name]]])))
}
