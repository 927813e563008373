import { isEmail } from '../users/user-attributes.ts'

/** Somebody who has signed in at a provider, as it describes them. */
export interface Person {
  issuer: string
  subject: string
  /** Empty without one. */
  email: string
  isEmailVerified: boolean
  name: string
  username: string
  groups: string[]
}

type Claims = Record<string, unknown>

const maxLength = 255

/** From an ID token and the userinfo, which is newer and often has more. */
export function readPerson(idToken: Claims & { iss: string; sub: string }, userInfo: Claims): Person {
  const claims = { ...idToken, ...userInfo }
  // Whether an address is verified says only who names it.
  const { email, email_verified: isVerified } = 'email' in userInfo ? userInfo : idToken
  const address = textOf(email)

  if (textOf(idToken.sub) !== idToken.sub) throw new Error('the subject of the ID token cannot be stored')

  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email: isEmail(address) ? address : '',
    isEmailVerified: isVerified === true,
    name: textOf(claims.name),
    username: textOf(claims.preferred_username),
    groups: [claims.groups ?? []].flat().map(String)
  }
}

/** What Postgres can store; empty for anything else and for what is too long. */
function textOf(claim: unknown) {
  const text = typeof claim === 'string' ? claim.trim() : ''

  return text.length <= maxLength && text.isWellFormed() && !text.includes('\0') ? text : ''
}
