import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { browserOrigin } from '#api/browser-origin.ts'
import { readSession } from '#api/guards/cookies.ts'
import { redirect } from '#api/redirect.ts'
import { AddressBody, changeAddress, checkAddress } from '#instance-settings/change-address.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm, type SentForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { renewSessionCookie } from '../sign-in/renew-session-cookie.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { adminPage } from './admin-page.ts'

const path = '/admin/settings/address'
const AddressForm = Type.Object({ ...AddressBody.properties, is_sure: Type.Boolean() })

type AddressForm = Form<typeof AddressForm>

/** The public address: that of the browser is proposed. */
export async function addressPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }
  const { config, storedConfig } = app.platform

  app.get(path, guard, async (request, reply) =>
    showAddress(reply, new Form(AddressForm, { base_url: config.isBaseUrlSet ? config.baseUrl : browserOrigin(request) }))
  )

  app.post(path, guard, async (request, reply) => {
    const form = readForm(request, AddressForm)
    const secret = readSession(request)!

    await form.check(({ base_url: url }) => checkAddress(url))
    requireConfirmation(request, form)
    if (!(await form.save(body => changeAddress(request.em, config, body, request.actor)))) return showAddress(reply.code(400), form)
    await storedConfig.load()
    renewSessionCookie(reply, secret)
    if (!isElsewhere(request, config.baseUrl)) {
      flash(reply, 'Address saved.')

      return redirect(reply, path)
    }

    return showMoved(reply)
  })
}

/** An address that leads elsewhere locks everyone out whose cookies need HTTPS: it takes a second click. */
function requireConfirmation(request: FastifyRequest, form: SentForm<typeof AddressForm>) {
  const { base_url: url, is_sure: isSure } = form.body

  if (form.hasProblems || isSure) return
  if (isElsewhere(request, url || request.server.platform.config.localUrl))
    form.problems.is_sure = `You opened this page at ${browserOrigin(request)}. Check that the new address leads here, too: sign-in, links and SDKs will use only that one.`
}

function isElsewhere(request: FastifyRequest, url: string) {
  return new URL(url).origin !== browserOrigin(request)
}

function showAddress(reply: FastifyReply, form: AddressForm) {
  const { request } = reply
  const { config } = request.server.platform

  return adminPage(
    reply,
    { title: 'Address', tab: '/admin/settings' },
    html`
    <h1>Address</h1>
    <p class="lead">Links in e-mail and messages, DSNs, clone URLs and OAuth begin with it.</p>
    ${config.isBaseUrlGiven ? givenAddress(request, config.baseUrl) : html`<div class="column">${addressForm(request, form)}</div>`}`
  )
}

function givenAddress(request: FastifyRequest, baseUrl: string) {
  return html`
    ${
      isElsewhere(request, baseUrl) &&
      html`<p class="warning">You opened this page at <strong>${browserOrigin(request)}</strong>. Links lead to <strong>${baseUrl}</strong>.</p>`
    }
    <dl class="facts column"><div><dt>Address</dt><dd>${baseUrl}</dd></div></dl>
    <p class="hint">The environment variable <code>BASE_URL</code> sets it.</p>`
}

function addressForm(request: FastifyRequest, form: AddressForm) {
  const { config } = request.server.platform
  const problem = form.error('is_sure')

  return html`
    ${
      config.isBaseUrlSet
        ? isElsewhere(request, config.baseUrl) &&
          html`<p class="warning">You opened this page at <strong>${browserOrigin(request)}</strong>. Links lead to <strong>${config.baseUrl}</strong>.</p>`
        : html`<p class="warning">No address is set, so links lead to <strong>${config.baseUrl}</strong>. The field has the address in your browser.</p>`
    }
    ${form.render(
      request,
      { action: path },
      html`
      ${form.field('base_url', { label: 'Public address', hint: 'Such as https://tocsin.example.com. All processes use it at once.', attributes: { inputmode: 'url', spellcheck: 'false' } })}
      ${problem && html`<p class="problem" role="alert">${problem}</p>${form.checkbox('is_sure', { label: 'The new address leads here' })}`}
      <button>Save</button>`
    )}
    <h2>What a change means</h2>
    <ul>
      <li>The OAuth issuer is this address. Applications that sign users in with it must be given the new one.</li>
      <li>Passkeys belong to the host name. With another one, users sign in with their password and add new passkeys.</li>
      <li>From HTTP to HTTPS or back, other users have to sign in again.</li>
      <li>SDKs with the old DSN continue to work for as long as the old address leads here.</li>
    </ul>`
}

function showMoved(reply: FastifyReply) {
  const { baseUrl } = reply.server.platform.config

  return adminPage(
    reply,
    { title: 'Address', tab: '/admin/settings' },
    html`
    <h1>Address saved</h1>
    <p>The address is now <strong>${baseUrl}</strong>. Continue there, where you may have to sign in again.</p>
    <p><a class="button" href="${baseUrl}/admin/settings/address">Open the new address</a></p>
    <p class="hint">If it does not open, start Tocsin with <code>BASE_URL</code> set to the right one, which wins over this setting.</p>`
  )
}
