import type { FastifyInstance } from 'fastify'
import { Provider } from '#identity/provider/provider.ts'
import { identitiesPage } from '../settings/identities.ts'
import { providerSignIn } from './provider-sign-in.ts'

/** Nothing without a provider. */
export async function providerPages(app: FastifyInstance) {
  const { config } = app.platform

  if (!config.oidc) return
  const provider = new Provider(config.oidc, config)

  await app.register(providerSignIn, { provider })
  await app.register(identitiesPage, { provider })
}
