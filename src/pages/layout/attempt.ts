import { Conflict, Forbidden, InvalidInput, type Reasons, Refusal, Rejected, ValidationFailed } from '#lib/refusals.ts'

/** The problems of a form, by field; `base` has those of the whole form. */
export type Problems = Record<string, string>

export interface Result<T> {
  result: T
  problems?: undefined
}

type Refused = { result?: undefined; problems: Problems; error: Refusal }

/** Returns why a use case refuses a change, to be shown in its form with these fields. Other errors are thrown. */
export async function attempt<T>(change: () => Promise<T> | T, fields: object = {}): Promise<Result<T> | Refused> {
  try {
    return { result: await change() }
  } catch (error) {
    const problems = error instanceof Refusal && problemsOf(error, fields)

    if (!problems) throw error

    return { problems, error }
  }
}

/** The reasons of a refusal in one text, where its fields are not shown. */
export function inOneText(problems: Problems) {
  return Object.values(problems).join(' ')
}

/** Undefined for what concerns more than the form: something is not there, or Tocsin is busy. */
function problemsOf(refusal: Refusal, fields: object): Problems | undefined {
  if (refusal instanceof ValidationFailed) return byField(refusal.reasons, fields)
  const concernsForm = [InvalidInput, Rejected, Forbidden, Conflict].some(kind => refusal instanceof kind)

  return concernsForm && refusal.reason ? { base: asSentence(refusal.reason) } : undefined
}

/** Nested reasons belong to fields of their own if the form has them, such as the URL in the settings of a channel. */
function byField(reasons: Reasons, fields: object): Problems {
  const problems = Object.entries(reasons).map(([name, given]) => {
    const isNested = !Array.isArray(given) && Object.keys(given).some(inner => inner === 'base' || Object.hasOwn(fields, inner))

    return isNested ? byField(given, fields) : { [name]: asSentence(written(given)) }
  })

  return Object.assign({}, ...problems)
}

function written(reasons: string[] | Reasons): string {
  if (!Array.isArray(reasons))
    return Object.entries(reasons)
      .map(([name, inner]) => `${name}: ${written(inner)}`)
      .join(', ')

  return reasons.map(reason => (typeof reason === 'string' ? reason : written(reason))).join(', ')
}

export function asSentence(text: string) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
}
