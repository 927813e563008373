/** The shapes of everything that is not a resource. */
export const shapes = {
  Message: {
    type: 'object',
    required: ['message'],
    properties: { message: { type: 'string', examples: ['404 Project Not Found'] } }
  },
  Failure: {
    type: 'object',
    description: 'A parameter is missing or has the wrong shape.',
    required: ['error'],
    properties: { error: { type: 'string', examples: ['name is missing'] } }
  },
  Invalid: {
    type: 'object',
    description: 'What was given does not fit what is there: each attribute with its reasons.',
    required: ['message'],
    properties: {
      message: {
        type: 'object',
        additionalProperties: { type: 'array', items: { type: 'string' } },
        examples: [{ path: ['has already been taken'] }]
      }
    }
  },
  InsufficientScope: {
    type: 'object',
    description: 'The token has none of the scopes that the operation takes.',
    required: ['error', 'error_description', 'scope'],
    properties: {
      error: { const: 'insufficient_scope' },
      error_description: { type: 'string' },
      scope: { type: 'string', description: 'Those it takes, separated by spaces.' }
    }
  }
}

/** Every answer that is the same wherever it is given, by its status. */
export const answers = {
  400: json('A parameter is missing or malformed, or does not fit what is there.', 'Failure', 'Invalid', 'Message'),
  401: json('No credential, or one that is wrong, revoked or expired.', 'Message'),
  403: json('The caller may not do this, or the token’s scopes do not allow it.', 'Message', 'InsufficientScope'),
  404: json('It does not exist, or the caller may not see it.', 'Message'),
  405: json('The list cannot be read this way.', 'Failure'),
  409: json('Someone else changed it meanwhile, or it is there already.', 'Message'),
  410: json('The operation was removed.', 'Message'),
  412: json('It changed since the time that was named.', 'Message'),
  413: json('The body is too large.', 'Message'),
  422: json('It cannot be processed.', 'Message'),
  429: {
    description: 'Too many requests within a minute.',
    headers: {
      'Retry-After': header('Seconds to wait.', 'integer'),
      'RateLimit-Name': header('Which limit it was.', 'string'),
      'RateLimit-Limit': header('Requests a minute.', 'integer'),
      'RateLimit-Observed': header('Requests so far.', 'integer'),
      'RateLimit-Remaining': header('Requests that are left.', 'integer'),
      'RateLimit-Reset': header('When the minute is over, in seconds since 1970.', 'integer'),
      'RateLimit-ResetTime': header('The same as a date.', 'string')
    },
    content: { 'text/plain': { schema: { const: 'Retry later' } } }
  },
  503: {
    ...json('Too much to do, or something it needs is away.', 'Message'),
    headers: { 'Retry-After': header('Seconds to wait.', 'integer') }
  }
}

export type AnswerStatus = keyof typeof answers

function json(description: string, ...names: (keyof typeof shapes)[]) {
  const references = names.map(name => ({ $ref: `#/components/schemas/${name}` }))

  return { description, content: { 'application/json': { schema: references.length === 1 ? references[0] : { anyOf: references } } } }
}

function header(description: string, type: string) {
  return { description, schema: { type } }
}
