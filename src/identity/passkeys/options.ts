import type { User } from '../users/user.ts'
import type { Passkey } from './passkey.ts'
import type { RelyingParty } from './relying-party.ts'

/** EdDSA, ES256 and RS256: every authenticator has one of them. */
export const algorithms = [-8, -7, -257]

/** For `navigator.credentials.create`. Each passkey can sign in without a password: it is discoverable, and verifies the user. */
export function creationOptions({ id }: RelyingParty, user: User, passkeys: Passkey[], challenge: string) {
  return {
    challenge,
    rp: { id, name: 'Tocsin' },
    user: { id: userHandleOf(user), name: user.username, displayName: user.name },
    pubKeyCredParams: algorithms.map(alg => ({ type: 'public-key', alg })),
    excludeCredentials: passkeys.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none'
  }
}

/** For `navigator.credentials.get`, without a password: the browser shows the user's passkeys, and the passkey names the user. */
export function signInOptions({ id }: RelyingParty, challenge: string) {
  return { challenge, rpId: id, userVerification: 'required' }
}

/** For `navigator.credentials.get`, after the password. */
export function secondFactorOptions({ id }: RelyingParty, passkeys: Passkey[], challenge: string) {
  return { challenge, rpId: id, allowCredentials: passkeys.map(descriptorOf), userVerification: 'preferred' }
}

/** In base64url. */
export function userHandleOf({ id }: { id: number }) {
  return Buffer.from(String(id)).toString('base64url')
}

function descriptorOf({ credentialId, transports }: Passkey) {
  return { type: 'public-key', id: Buffer.from(credentialId).toString('base64url'), transports }
}
