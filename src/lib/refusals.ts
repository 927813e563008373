/**
 * Why a use case does not do what it was asked. A refusal knows no protocol: each protocol renders it in one place. Its message is one
 * line for logs and pages.
 */
export abstract class Refusal extends Error {
  /** Stable, and different for every class. */
  abstract code: string
  /** Details beyond the kind of the refusal. */
  reason: string | undefined
  /** The message says everything. Otherwise a protocol begins with its own words for the kind: "403 Forbidden - the project is archived". */
  isSentence = false

  constructor(kind: string, reason?: string) {
    super(reason || kind)
    this.reason = reason
  }
}

/** Parameters that are missing, malformed, or do not fit together. The sentence names them. */
export class InvalidInput extends Refusal {
  code = 'invalid_input'

  constructor(sentence: string) {
    super('Invalid input', sentence)
  }
}

/** At least one of these parameters is required. */
export class MissingParameters extends InvalidInput {
  override code = 'missing_parameters'

  constructor(...names: string[]) {
    super(`${names.join(', ')} are missing, at least one parameter must be provided`)
  }
}

export class MutuallyExclusive extends InvalidInput {
  override code = 'mutually_exclusive'

  constructor(...names: string[]) {
    super(`${names.join(', ')} are mutually exclusive`)
  }
}

/** Parameters that are well-formed, and cannot be used: a URL without values for its variables, or one that leads to a private network. */
export class UnusableInput extends InvalidInput {
  override code = 'unusable_input'
}

/** Reasons by attribute, nested like the attributes. */
export interface Reasons {
  [attribute: string]: string[] | Reasons
}

/** Invalid attributes, each with its reasons. */
export class ValidationFailed extends Refusal {
  code = 'validation_failed'
  reasons: Reasons

  constructor(reasons: Reasons) {
    super('Validation failed', describeReasons(reasons))
    this.reasons = reasons
  }
}

/** The input is fine, and what it asks for is not possible. */
export class Rejected extends Refusal {
  code = 'rejected'

  constructor(reason?: string) {
    super('Rejected', reason)
  }
}

/** The request has no credential, or an invalid one. */
export class Unauthenticated extends Refusal {
  code = 'unauthenticated'

  constructor(reason?: string) {
    super('Unauthenticated', reason)
  }
}

/** A known token that is no longer valid. */
export class InvalidToken extends Refusal {
  code = 'invalid_token'

  constructor(description: string) {
    super('Invalid token', description)
  }
}

/** The credential allows none of these, one of which is needed. */
export class InsufficientScope extends Refusal {
  code = 'insufficient_scope'
  scopes: string[]

  constructor(scopes: string[]) {
    super('Insufficient scope', 'The request requires higher privileges than provided by the access token.')
    this.scopes = scopes
  }
}

export class Forbidden extends Refusal {
  code = 'forbidden'
  /** Where the user may go instead: what the forbidden thing is a part of. */
  place: { name: string; url: string } | undefined

  constructor(reason?: string, place?: Forbidden['place']) {
    super('Forbidden', reason)
    this.place = place
  }
}

/** It is not there, or the user may not know of it. */
export class NotFound extends Refusal {
  code = 'not_found'

  constructor(resource?: string) {
    super('Not Found', resource && `${resource} Not Found`)
  }
}

/** This thing does not have this operation, whoever asks. */
export class Unsupported extends Refusal {
  code = 'unsupported'

  constructor(reason?: string) {
    super('Unsupported', reason)
  }
}

export class Conflict extends Refusal {
  code = 'conflict'

  constructor(reason?: string) {
    super('Conflict', reason)
  }
}

/** It no longer exists, and will not again. */
export class Gone extends Refusal {
  code = 'gone'

  constructor(reason?: string) {
    super('Gone', reason)
  }
}

/** It was changed after the time that the change requires. */
export class ModifiedSince extends Refusal {
  code = 'modified_since'

  constructor() {
    super('Modified since')
  }
}

export class TooLarge extends Refusal {
  code = 'too_large'

  constructor(reason?: string) {
    super('Too large', reason)
  }
}

export class Unprocessable extends Refusal {
  code = 'unprocessable'

  constructor(reason?: string) {
    super('Unprocessable', reason)
  }
}

/** The next try may be after these seconds. */
export class TooOften extends Refusal {
  code = 'too_often'
  retryAfter: number

  constructor(retryAfter = 60) {
    super('Too often')
    this.retryAfter = retryAfter
  }
}

/** Nothing was done, because something is busy or missing. The next try may be after these seconds. */
export class Unavailable extends Refusal {
  code = 'unavailable'
  retryAfter: number

  constructor(retryAfter: number, reason?: string) {
    super('Unavailable', reason)
    this.retryAfter = retryAfter
  }
}

export function describeReasons(reasons: Reasons): string {
  return Object.entries(reasons)
    .map(([name, given]) => `${name} ${Array.isArray(given) ? given.join(', ') : describeReasons(given)}`)
    .join(', ')
}
