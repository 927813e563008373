import {
  Conflict,
  Forbidden,
  Gone,
  InsufficientScope,
  InvalidInput,
  InvalidToken,
  ModifiedSince,
  NotFound,
  Refusal,
  Rejected,
  TooLarge,
  TooOften,
  Unauthenticated,
  Unavailable,
  Unprocessable,
  Unsupported,
  UnusableInput,
  ValidationFailed
} from '#lib/refusals.ts'
import { bearerChallenge } from './bearer-challenge.ts'
import { Problem } from './problems.ts'

interface Rendering<Kind extends Refusal> {
  kind: abstract new (...args: never[]) => Kind
  status: number
  body(refusal: Kind): Record<string, unknown>
  headers?(refusal: Kind): Record<string, string>
}

/** How the REST API answers each kind of refusal. The first kind that fits counts. */
export const renderings: Rendering<Refusal>[] = [
  rendering({ kind: UnusableInput, status: 422, body: errorAndMessage }),
  rendering({ kind: InvalidInput, status: 400, body: errorAndMessage }),
  rendering({ kind: ValidationFailed, status: 400, body: ({ reasons }) => ({ message: reasons }) }),
  rendering({ kind: Rejected, status: 400, body: withLine('400 Bad request') }),
  rendering({ kind: Unauthenticated, status: 401, body: withLine('401 Unauthorized') }),
  rendering({ kind: InvalidToken, status: 401, body: toBearerError, headers: toBearerChallenge }),
  rendering({ kind: InsufficientScope, status: 403, body: toScopeError }),
  rendering({ kind: Forbidden, status: 403, body: withLine('403 Forbidden') }),
  rendering({
    kind: NotFound,
    status: 404,
    body: refusal => ({ message: refusal.isSentence ? refusal.message : `404 ${refusal.message}` })
  }),
  rendering({ kind: Unsupported, status: 405, body: withLine('405 Method Not Allowed') }),
  rendering({ kind: Conflict, status: 409, body: withLine('409 Conflict') }),
  rendering({ kind: Gone, status: 410, body: withLine('410 Gone') }),
  rendering({ kind: ModifiedSince, status: 412, body: withLine('412 Precondition Failed') }),
  rendering({ kind: TooLarge, status: 413, body: withLine('413 Request Entity Too Large') }),
  rendering({ kind: Unprocessable, status: 422, body: withLine('422 Unprocessable Entity') }),
  rendering({ kind: TooOften, status: 429, body: withLine('429 Too Many Requests'), headers: retryAfter }),
  rendering({ kind: Unavailable, status: 503, body: withLine('503 Service Unavailable'), headers: retryAfter })
]

/** The answer of the REST API to a refusal, which stays its cause. */
export function problemOf(refusal: Refusal) {
  const { status, body, headers } = renderings.find(({ kind }) => refusal instanceof kind)!
  const problem = new Problem(status, body(refusal), headers?.(refusal))

  problem.cause = refusal

  return problem
}

/** What the REST API would answer to a refusal or a problem; undefined for failures. */
export function asProblem(error: unknown) {
  if (error instanceof Refusal) return problemOf(error)

  return error instanceof Problem ? error : undefined
}

function rendering<Kind extends Refusal>(rendering: Rendering<Kind>): Rendering<Refusal> {
  return rendering
}

/** Some clients read `error`, others `message`. */
function errorAndMessage({ message }: Refusal) {
  return { error: message, message }
}

function withLine(line: string) {
  return ({ isSentence, message, reason }: Refusal) => ({ message: isSentence ? message : reason ? `${line} - ${reason}` : line })
}

/** RFC 6750 §3.1. */
function toBearerError({ message }: InvalidToken) {
  return { error: 'invalid_token' as const, error_description: message }
}

function toBearerChallenge(refusal: InvalidToken) {
  return { 'www-authenticate': bearerChallenge(toBearerError(refusal)) }
}

function toScopeError({ code, message, scopes }: InsufficientScope) {
  return { error: code, error_description: message, scope: scopes.join(' ') }
}

function retryAfter({ retryAfter }: TooOften | Unavailable) {
  return { 'retry-after': String(retryAfter) }
}
