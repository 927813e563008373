import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { addPasskey, beginPasskey, getPasskey, PasskeyName, removePasskey, renamePasskey } from '#identity/sessions/passkeys.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { textOf } from '../layout/forms.ts'
import { loadAccount, requireOneself } from '../sign-in/require-sign-in.ts'
import { NewPasskey, passkeysPath as path, showCreation, showPasskey, showPasskeys } from './passkeys-views.ts'
import { CurrentPassword } from './password-field.ts'
import { showRecoveryCodes } from './two-factor-views.ts'

const onePath = `${path}/:id(^\\d{1,15}$)`

/** Adds passkeys in two steps: the password first, so that nothing is left in the password manager when it is wrong. */
export async function passkeysPages(app: FastifyInstance) {
  const guard = { onRequest: requireOneself(app) }
  const { config } = app.platform

  app.get(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)

    return showPasskeys(reply, em, account, new Form(NewPasskey))
  })

  app.post(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const form = readForm(request, NewPasskey, ['current'])
    const saved = await form.save(({ current }) => beginPasskey(em, config, account, current))

    return saved ? showCreation(reply, form.body.name, saved.result) : showPasskeys(reply.code(400), em, account, form)
  })

  app.post(`${path}/registration`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const form = readForm(request, PasskeyName)
    const saved = await form.save(({ name }) => addPasskey(em, config, account, { name, credential: textOf(request, 'credential') }))

    if (!saved) {
      const again = new Form(NewPasskey, { name: form.text('name') })

      again.problems = form.problems

      return showPasskeys(reply.code(400), em.fork(), account, again)
    }
    if (saved.result.length > 0) return showRecoveryCodes(reply, saved.result)
    flash(reply, 'Passkey added.')

    return redirect(reply, path)
  })

  app.get(onePath, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const passkey = await getPasskey(em, account.user, idIn(request))

    return showPasskey(reply, passkey, { name: new Form(PasskeyName, passkey) })
  })

  app.post(onePath, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const form = readForm(request, PasskeyName)

    if (!(await form.save(({ name }) => renamePasskey(em, account, idIn(request), name)))) {
      return showPasskey(reply.code(400), await getPasskey(em, account.user, idIn(request)), { name: form })
    }
    flash(reply, 'Passkey renamed.')

    return redirect(reply, path)
  })

  app.post(`${onePath}/removal`, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const passkey = await getPasskey(em, account.user, idIn(request))
    const form = readForm(request, CurrentPassword, ['current'])

    if (!(await form.save(({ current }) => removePasskey(em, account, passkey.id, current)))) {
      return showPasskey(reply.code(400), passkey, { name: new Form(PasskeyName, passkey), removal: form })
    }
    flash(reply, 'Passkey removed. Delete it in your device or password manager as well.')

    return redirect(reply, path)
  })
}

function idIn({ params }: FastifyRequest) {
  return Number((params as { id: string }).id)
}
