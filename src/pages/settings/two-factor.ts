import type { FastifyInstance, FastifyRequest } from 'fastify'
import { confirmPassword } from '../../identity/sessions/lockout.ts'
import {
  beginTwoFactor,
  countRecoveryCodes,
  disableTwoFactor,
  enableTwoFactor,
  renewRecoveryCodes
} from '../../identity/two-factor/two-factor.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { meOf, requirePerson } from '../sign-in/require-sign-in.ts'
import { wrongPassword } from './password-field.ts'
import { enrolment, off, on, recoveryCodes } from './two-factor-views.ts'

const path = '/-/profile/two_factor'

/** Turning the second factor on and off. What makes an account easier to enter takes the password. */
export async function twoFactorPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const { em, user } = await meOf(request)

    if (user.totpEnabledAt) return on(reply, user.totpEnabledAt, await countRecoveryCodes(em, user))

    return user.totpSecret ? enrolment(reply, user) : off(reply)
  })

  app.post(path, guard, async (request, reply) => {
    const { em, user, isConfirmed } = await confirmed(request)

    if (!isConfirmed) return off(reply.code(400), wrongPassword)
    await beginTwoFactor(em, user)

    return reply.redirect(path, 303)
  })

  app.post(`${path}/confirmation`, guard, async (request, reply) => {
    const { em, user, actor, session, at } = await meOf(request)
    const codes = await enableTwoFactor(em, user, textOf(request, 'code'), session, actor, at)

    if (codes) return recoveryCodes(reply, codes)

    return user.totpEnabledAt || !user.totpSecret
      ? reply.redirect(path, 303)
      : enrolment(reply.code(400), user, 'That is not the code of this moment. Is the clock of your device right?')
  })

  app.post(`${path}/recovery_codes`, guard, async (request, reply) => {
    const { em, user, actor, isConfirmed } = await confirmed(request)

    if (!user.totpEnabledAt) return reply.redirect(path, 303)
    if (isConfirmed) return recoveryCodes(reply, await renewRecoveryCodes(em, user, actor))

    return on(reply.code(400), user.totpEnabledAt, await countRecoveryCodes(em, user), { codes: wrongPassword })
  })

  app.post(`${path}/removal`, guard, async (request, reply) => {
    const { em, user, actor, isConfirmed } = await confirmed(request)

    if (user.totpEnabledAt && !isConfirmed) {
      return on(reply.code(400), user.totpEnabledAt, await countRecoveryCodes(em, user), { removal: wrongPassword })
    }
    await disableTwoFactor(em, user, actor)
    flash(reply, 'Two-factor authentication is off.')

    return reply.redirect(path, 303)
  })
}

async function confirmed(request: FastifyRequest) {
  const me = await meOf(request)

  return { ...me, isConfirmed: await confirmPassword(me.em, me.user, textOf(request, 'current'), me.actor, me.at) }
}
