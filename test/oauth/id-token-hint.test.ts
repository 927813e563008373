import { generateKeyPair, SignJWT } from 'jose'
import t from 'tap'
import { User } from '#identity/users/user.ts'
import { signIdToken } from '#oauth/openid/id-token.ts'
import { aPerson } from '../identity/people.ts'
import { anApplication, authorizeUrl, openAuthorization, sentTo } from './authorizing.ts'

t.test('an id_token_hint names the user who has to be signed in', async t => {
  const { call, config, platform, visitor } = await openAuthorization(t)
  const { client_id: clientId } = await anApplication(platform, { owner: null })
  const now = new Date()
  const idToken = async (username: string, at = now, audience = clientId) => {
    const em = platform.fork()
    const user = await em.findOneOrFail(User, { username })

    return signIdToken(em, config, { user, clientId: audience, scopes: ['openid'], accessToken: 'a' }, at)
  }
  const ask = (hint: string, prompt?: string) => visitor.get(authorizeUrl(clientId, { id_token_hint: hint, prompt }))

  await aPerson(call, 'ann')
  for (const hint of [await idToken('root'), await idToken('root', new Date(now.getTime() - 24 * 3600_000))]) {
    t.ok(sentTo(await ask(hint, 'none')).code, 'the signed-in user, an expired token, too')
    t.ok(sentTo(await ask(hint)).code)
  }
  const ann = await idToken('ann')

  t.equal(sentTo(await ask(ann, 'none')).error, 'login_required')
  t.match((await ask(ann)).body, /<h1>Sign in</, 'the user may choose the other account')
  for (const hint of ['no token', await resign(await idToken('root')), await idToken('root', now, 'another client')]) {
    t.equal(sentTo(await ask(hint, 'none')).error, 'login_required', 'a token that cannot be verified names no user')
    t.ok(sentTo(await ask(hint)).code, 'and is otherwise ignored')
  }
})

/** The same claims with the signature of another key. */
async function resign(token: string) {
  const { privateKey } = await generateKeyPair('RS256')
  const [header = '', claims = ''] = token.split('.').map(part => Buffer.from(part, 'base64url').toString())

  return new SignJWT(JSON.parse(claims)).setProtectedHeader(JSON.parse(header)).sign(privateKey)
}
