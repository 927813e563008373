import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { countRecoveryCodes } from '#identity/sessions/recovery-codes.ts'
import { beginTwoFactor, disableTwoFactor, enableTwoFactor, renewRecoveryCodes } from '#identity/sessions/two-factor.ts'
import { flash } from '../layout/flash.ts'
import { readForm } from '../layout/form.ts'
import { loadAccount, requireOneself } from '../sign-in/require-sign-in.ts'
import { CurrentPassword } from './password-field.ts'
import { Confirmation, showDisabled, showEnabled, showEnrolment, showRecoveryCodes } from './two-factor-views.ts'

const path = '/-/profile/two_factor'

/** Enables and disables two-factor authentication. */
export async function twoFactorPage(app: FastifyInstance) {
  const guard = { onRequest: requireOneself(app) }

  app.get(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { user } = account

    if (user.totpEnabledAt) return showEnabled(reply, { since: user.totpEnabledAt, codesLeft: await countRecoveryCodes(em, user) })

    return user.totpSecret ? showEnrolment(reply, user) : showDisabled(reply)
  })

  app.post(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const form = readPassword(request)
    const isBegun = await form.save(({ current }) => beginTwoFactor(em, account, current))

    return isBegun ? redirect(reply, path) : showDisabled(reply.code(400), form)
  })

  app.post(`${path}/confirmation`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const form = readForm(request, Confirmation)
    const saved = await form.save(({ code }) => enableTwoFactor(em, account, code))

    if (!saved) return showEnrolment(reply.code(400), account.user, form)

    return saved.result ? showRecoveryCodes(reply, saved.result) : redirect(reply, path)
  })

  app.post(`${path}/recovery_codes`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { totpEnabledAt: since } = account.user
    const form = readPassword(request)

    if (!since) return redirect(reply, path)
    const saved = await form.save(({ current }) => renewRecoveryCodes(em, account, current))

    if (!saved) return showEnabled(reply.code(400), { since, codesLeft: await countRecoveryCodes(em, account.user), codes: form })

    return saved.result ? showRecoveryCodes(reply, saved.result) : redirect(reply, path)
  })

  app.post(`${path}/removal`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { totpEnabledAt: since } = account.user
    const form = readPassword(request)

    if (!(await form.save(({ current }) => disableTwoFactor(em, account, current)))) {
      return showEnabled(reply.code(400), { since: since!, codesLeft: await countRecoveryCodes(em, account.user), removal: form })
    }
    flash(reply, 'Two-factor authentication is off.')

    return redirect(reply, path)
  })
}

function readPassword(request: FastifyRequest) {
  return readForm(request, CurrentPassword, ['current'])
}
