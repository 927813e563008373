import type { FastifyReply } from 'fastify'
import { Problem } from '#api/problems/problems.ts'
import { SpamDetected } from '#spam/spam-detected.ts'
import { asSentence, catchValidation } from '../projects/page-context.ts'
import { offerCaptcha } from '../sign-in/captcha.ts'

/** As `catchValidation`; other refusals with a reason are shown above the form, as `base`. Spam can be sent again with a CAPTCHA. */
export async function catchRefusal<T>(change: () => Promise<T>, reply?: FastifyReply): ReturnType<typeof catchValidation<T>> {
  try {
    return await catchValidation(change)
  } catch (error) {
    const reason = reasonOf(error)

    if (!reason) throw error
    if (reply && error instanceof SpamDetected && error.captcha) offerCaptcha(reply.request, error.captcha)

    return { problems: { base: asSentence(reason) } }
  }
}

/** What a refusal says after its status line: "403 Forbidden - the project is archived". */
function reasonOf(error: unknown) {
  if (!(error instanceof Problem) || ![400, 403, 409].includes(error.status)) return undefined

  return error.summary().replace(/^\d{3} [\w ]+( - |$)/, '')
}
