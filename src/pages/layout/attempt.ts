import { Problem, type Reasons, ValidationFailed } from '#api/problems/problems.ts'

/** The problems of a form, by field; `base` has those of the whole form. */
export type Problems = Record<string, string>

export interface Result<T> {
  result: T
  problems?: undefined
}

type Refused = { result?: undefined; problems: Problems; error: Problem }

/** Returns why a use case refuses a change, to be shown in its form with these fields. Other errors are thrown. */
export async function attempt<T>(change: () => Promise<T> | T, fields: object = {}): Promise<Result<T> | Refused> {
  try {
    return { result: await change() }
  } catch (error) {
    const problems = error instanceof Problem && problemsOf(error, fields)

    if (!problems) throw error

    return { problems, error }
  }
}

/** The reasons of a refusal in one text, where its fields are not shown. */
export function inOneText(problems: Problems) {
  return Object.values(problems).join(' ')
}

function problemsOf(error: Problem, fields: object): Problems | undefined {
  if (error instanceof ValidationFailed) return byField((error.body as { message: Reasons }).message, fields)
  // What the refusal says after its status: "403 Forbidden - the project is archived".
  const reason = [400, 403, 409].includes(error.status) && error.summary().replace(/^\d{3} [\w ]+( - |$)/, '')

  return reason ? { base: asSentence(reason) } : undefined
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
