import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieName, cookieOptions } from '#api/guards/cookies.ts'
import { type Failure, type Provider, ProviderFailed } from '#identity/provider/provider.ts'
import { beginSignIn } from '#identity/provider/provider-sign-in.ts'
import { newSecret } from '#identity/secrets.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'

const cookie = '_service_provider'
const maxAge = 10 * 60
/** Longer ones lead to the home page. */
const maxPath = 4000

/** Sends the browser to the provider; returns why it cannot. */
export async function sendToProvider(reply: FastifyReply, provider: Provider, begun: { returnTo: string; userId?: number }) {
  const { request } = reply
  // The sign-ins of several tabs share it.
  const browser = readBrowser(request) || newSecret()
  const returnTo = begun.returnTo.length > maxPath ? '/' : begun.returnTo
  const challenge = await beginSignIn(request.em, browser, { ...begun, returnTo }, new Date())
  const url = await askProvider(request, () => provider.urlFor(challenge))

  if ('failure' in url) return url.failure
  const { name } = provider.settings

  reply.setCookie(cookieName(reply.server.platform.config, cookie), browser, { ...cookieOptions(reply), maxAge })
  // A form of ours may not redirect to other hosts (`form-action`), so this page does.
  reply.header('refresh', `0; url=${url.result}`)
  await page(
    reply,
    { title: `Continue with ${name}`, width: 'narrow' },
    html`<section class="card"><h1>Continuing with ${name}</h1><p><a class="button" href="${url.result}">Continue</a></p></section>`
  )

  return undefined
}

/** The secret of a browser that signs in. */
export function readBrowser({ cookies, server }: FastifyRequest) {
  return cookies?.[cookieName(server.platform.config, cookie)] ?? ''
}

/** The cause goes to the log; people are told what they can do. */
export async function askProvider<T>(request: FastifyRequest, ask: () => Promise<T>): Promise<{ result: T } | { failure: Failure }> {
  try {
    return { result: await ask() }
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    request.log.warn({ reason: error.reason, cause: error.message }, 'sign-in at the OpenID Connect provider failed')

    return { failure: error.reason }
  }
}

export function failureText(failure: Failure, name: string) {
  return {
    denied: `The sign-in was cancelled, or ${name} does not let you in.`,
    expired: 'This sign-in has expired or was already used. Try again.',
    refused: `${name} refused the sign-in: it may not be set up for this site. An administrator can find the reason in the log.`,
    unreachable: `${name} cannot be reached. Try again in a few minutes.`,
    misconfigured: `There is no OpenID Connect provider at the configured address of ${name}. An administrator can find the reason in the log.`,
    clocks: `The clocks of ${name} and of this server differ. Tell an administrator.`,
    unverified: `The answer of ${name} could not be verified. Try again. An administrator can find the reason in the log.`
  }[failure]
}
