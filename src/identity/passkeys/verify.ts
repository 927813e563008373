import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { algorithms } from './options.ts'
import type { Passkey } from './passkey.ts'
import type { RelyingParty } from './relying-party.ts'

/** Why the answer of a browser is not accepted, for admins. */
export interface Refused {
  reason: string
}

const Base64Url = (maxLength: number) => Type.String({ maxLength, pattern: '^[\\w-]+$' })
/** WebAuthn Level 3 §4: an id has at most 1023 bytes. */
const Id = Base64Url(1364)
/** What both kinds of answers have; the library checks the rest. */
const Answer = Type.Object({
  id: Id,
  rawId: Id,
  type: Type.Literal('public-key'),
  response: Type.Object({ clientDataJSON: Base64Url(4000) })
})
const ClientData = Type.Object({ challenge: Base64Url(400) })

/** Without attestation, an answer has two or three thousand characters. */
const maxLength = 20_000
const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** An answer of the browser, and the challenge that it claims to answer. */
export interface Answered<T extends AuthenticationResponseJSON | RegistrationResponseJSON> {
  answer: T
  challenge: string
}

export type Registration = Answered<RegistrationResponseJSON>
export type Assertion = Answered<AuthenticationResponseJSON>

/** Reads what `toJSON` of a browser's credential returned; undefined when it is something else. */
export function parseAnswer<T extends Registration | Assertion>(text: string): T | undefined {
  if (text.length > maxLength) return undefined
  try {
    const answer: unknown = JSON.parse(text)

    if (!Check(Answer, answer)) return undefined
    const clientData: unknown = JSON.parse(Buffer.from(answer.response.clientDataJSON, 'base64url').toString())

    return Check(ClientData, clientData) ? ({ answer, challenge: clientData.challenge } as unknown as T) : undefined
  } catch {
    return undefined
  }
}

/** The challenge has been used up. Returns the attributes of the passkey. */
export async function verifyRegistration({ answer, challenge }: Registration, { id: expectedRPID, origin: expectedOrigin }: RelyingParty) {
  const { verifyRegistrationResponse } = await loadLibrary()
  const verified = await refusing(() =>
    verifyRegistrationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      supportedAlgorithmIDs: algorithms
    })
  )

  if ('reason' in verified) return verified
  if (!verified.registrationInfo) return { reason: 'wrong attestation' }
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential

  if (id !== answer.id) return { reason: 'the id is not that of the passkey' }

  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    counter,
    transports: transports.filter(transport => knownTransports.includes(transport))
  }
}

interface Asserted {
  passkey: Passkey
  party: RelyingParty
  /** Whether the passkey must have verified its user, by a PIN or a fingerprint. */
  verifiesUser: boolean
}

/** The challenge has been used up. Returns the counter of the passkey. */
export async function verifyAssertion({ answer, challenge }: Assertion, { passkey, party, verifiesUser }: Asserted) {
  const { verifyAuthenticationResponse } = await loadLibrary()
  const verified = await refusing(() =>
    verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: verifiesUser,
      // The counter is compared under the lock of the user.
      credential: { id: answer.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 }
    })
  )

  if ('reason' in verified) return verified

  return verified.verified ? { counter: verified.authenticationInfo.newCounter } : { reason: 'wrong signature' }
}

/** 70 ms and 17 MB, at the first passkey of a process. */
function loadLibrary() {
  return import('@simplewebauthn/server')
}

/** The library throws what it does not accept. */
async function refusing<T>(verify: () => Promise<T>): Promise<T | Refused> {
  try {
    return await verify()
  } catch (error) {
    return { reason: (error as Error).message.slice(0, 300) }
  }
}
