import { Problem } from '../../http/problems/problems.ts'
import { asSentence, catchValidation } from '../projects/page-context.ts'

/** As `catchValidation`; other refusals with a reason are shown above the form, as `base`. */
export async function catchRefusal<T>(change: () => Promise<T>): ReturnType<typeof catchValidation<T>> {
  try {
    return await catchValidation(change)
  } catch (error) {
    const reason = reasonOf(error)

    if (!reason) throw error

    return { problems: { base: asSentence(reason) } }
  }
}

/** What a refusal says after its status line: "403 Forbidden - the project is archived". */
function reasonOf(error: unknown) {
  if (!(error instanceof Problem) || ![400, 403, 409].includes(error.status)) return undefined

  return error.summary().replace(/^\d{3} [\w ]+( - |$)/, '')
}
