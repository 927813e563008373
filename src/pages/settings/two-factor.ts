import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { countRecoveryCodes } from '#identity/sessions/recovery-codes.ts'
import { beginTwoFactor, disableTwoFactor, enableTwoFactor, renewRecoveryCodes } from '#identity/sessions/two-factor.ts'
import type { User } from '#identity/users/user.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { flash } from '../layout/flash.ts'
import { readForm } from '../layout/form.ts'
import { loadAccount, requireOneself } from '../sign-in/require-sign-in.ts'
import { CurrentPassword } from './password-field.ts'
import { Confirmation, showEnrolment, showRecoveryCodes, showTwoFactor } from './two-factor-views.ts'

const path = '/-/profile/two_factor'

/** Enables and disables two-factor authentication. */
export async function twoFactorPage(app: FastifyInstance) {
  const guard = { onRequest: requireOneself(app) }

  app.get(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const { user } = account

    if (user.totpEnabledAt || !user.totpSecret) return show(reply, em, user)

    return showEnrolment(reply, { user, codesLeft: await countRecoveryCodes(em, user) })
  })

  app.post(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const setup = readPassword(request)
    const isBegun = await setup.save(({ current }) => beginTwoFactor(em, account, current))

    return isBegun ? redirect(reply, path) : show(reply.code(400), em, account.user, { setup })
  })

  app.post(`${path}/confirmation`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const form = readForm(request, Confirmation)
    const saved = await form.save(({ code }) => enableTwoFactor(em, account, code))

    if (!saved) {
      const { user } = account

      return showEnrolment(reply.code(400), { user, codesLeft: await countRecoveryCodes(em, user), form })
    }

    return saved.result?.length ? showRecoveryCodes(reply, saved.result) : redirect(reply, path)
  })

  app.post(`${path}/recovery_codes`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const codes = readPassword(request)

    if (!account.user.hasTwoFactor()) return redirect(reply, path)
    const saved = await codes.save(({ current }) => renewRecoveryCodes(em, account, current))

    if (!saved) return show(reply.code(400), em, account.user, { codes })

    return saved.result ? showRecoveryCodes(reply, saved.result) : redirect(reply, path)
  })

  app.post(`${path}/removal`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const removal = readPassword(request)

    if (!(await removal.save(({ current }) => disableTwoFactor(em, account, current)))) {
      return show(reply.code(400), em, account.user, { removal })
    }
    flash(reply, account.user.passkeyCount > 0 ? 'Authenticator app removed.' : 'Two-factor authentication is off.')

    return redirect(reply, path)
  })
}

async function show(reply: FastifyReply, em: EntityManager, user: User, refused: Partial<Parameters<typeof showTwoFactor>[1]> = {}) {
  return showTwoFactor(reply, { user, codesLeft: await countRecoveryCodes(em, user), ...refused })
}

function readPassword(request: FastifyRequest) {
  return readForm(request, CurrentPassword, ['current'])
}
