import type { FastifyInstance } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { countRecoveryCodes } from '#identity/sessions/recovery-codes.ts'
import { beginTwoFactor, disableTwoFactor, enableTwoFactor, renewRecoveryCodes } from '#identity/sessions/two-factor.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { loadAccount, requirePerson } from '../sign-in/require-sign-in.ts'
import { wrongPassword } from './password-field.ts'
import { showDisabled, showEnabled, showEnrolment, showRecoveryCodes } from './two-factor-views.ts'

const path = '/-/profile/two_factor'

/** Enables and disables two-factor authentication. */
export async function twoFactorPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { user } = account

    if (user.totpEnabledAt) return showEnabled(reply, user.totpEnabledAt, await countRecoveryCodes(em, user))

    return user.totpSecret ? showEnrolment(reply, user) : showDisabled(reply)
  })

  app.post(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const isBegun = await beginTwoFactor(em, account, textOf(request, 'current'))

    return isBegun ? redirect(reply, path) : showDisabled(reply.code(400), wrongPassword)
  })

  app.post(`${path}/confirmation`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const codes = await enableTwoFactor(em, account, textOf(request, 'code'))
    const { totpEnabledAt, totpSecret } = account.user

    if (codes) return showRecoveryCodes(reply, codes)
    if (totpEnabledAt || !totpSecret) return redirect(reply, path)

    return showEnrolment(reply.code(400), account.user, 'The code is wrong. Check your device’s clock.')
  })

  app.post(`${path}/recovery_codes`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { totpEnabledAt } = account.user

    if (!totpEnabledAt) return redirect(reply, path)
    const codes = await renewRecoveryCodes(em, account, textOf(request, 'current'))

    if (codes) return showRecoveryCodes(reply, codes)

    return showEnabled(reply.code(400), totpEnabledAt, await countRecoveryCodes(em, account.user), { codes: wrongPassword })
  })

  app.post(`${path}/removal`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { totpEnabledAt } = account.user

    if (!(await disableTwoFactor(em, account, textOf(request, 'current')))) {
      return showEnabled(reply.code(400), totpEnabledAt!, await countRecoveryCodes(em, account.user), { removal: wrongPassword })
    }
    flash(reply, 'Two-factor authentication is off.')

    return redirect(reply, path)
  })
}
