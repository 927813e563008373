/** Schemas of error responses. */
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
    description: 'Validation failed: reasons by attribute, nested like the attributes.',
    required: ['message'],
    properties: {
      message: {
        type: 'object',
        additionalProperties: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'object' }] },
        examples: [{ path: ['has already been taken'] }]
      }
    }
  },
  OAuthFailure: {
    type: 'object',
    description: 'An error of an OAuth endpoint, or of an access token that ended.',
    required: ['error', 'error_description'],
    properties: { error: { type: 'string', examples: ['invalid_token'] }, error_description: { type: 'string' } }
  },
  InsufficientScope: {
    type: 'object',
    description: 'The token has none of the required scopes.',
    required: ['error', 'error_description', 'scope'],
    properties: {
      error: { const: 'insufficient_scope' },
      error_description: { type: 'string' },
      scope: { type: 'string', description: 'The accepted scopes, separated by spaces.' }
    }
  }
}

const text = { 'text/plain': { schema: { type: 'string' } } }

/** Redirects and error responses by status, the same on every route. */
export const sharedResponses = {
  301: {
    description: 'Moved: `Location` has the URL with the ID.',
    headers: { Location: header('URL with the ID.', 'string') },
    content: text
  },
  304: { description: 'Not modified since the response with this `ETag`, or nothing to change.' },
  400: json('A parameter is missing, malformed or invalid.', 'Failure', 'Invalid', 'Message'),
  401: json('The credential is missing, wrong, revoked or expired.', 'Message', 'OAuthFailure'),
  403: json('The caller lacks the role, or the token lacks the scope.', 'Message', 'InsufficientScope', 'OAuthFailure'),
  404: json('Not found, or not visible to the caller.', 'Message'),
  405: json('The list does not support this kind of pagination, or a change was sent to a former path.', 'Failure', 'Message'),
  408: json('The request did not arrive in time.', 'Failure'),
  409: json('Conflicts with the current state, such as a concurrent change or a duplicate.', 'Message'),
  410: json('The operation has been removed.', 'Message'),
  412: json('The resource was modified after `If-Unmodified-Since`.', 'Message'),
  413: json('The body is too large.', 'Message', 'OAuthFailure'),
  414: json('The query is too long: send the parameters in a body.', 'Failure'),
  415: json('The content type is not supported.', 'Failure'),
  422: json('The request cannot be processed.', 'Message'),
  429: {
    description: 'Rate limit exceeded.',
    headers: {
      'Retry-After': header('Seconds to wait.', 'integer'),
      'RateLimit-Name': header('Name of the limit.', 'string'),
      'RateLimit-Limit': header('Requests a minute.', 'integer'),
      'RateLimit-Observed': header('Requests made.', 'integer'),
      'RateLimit-Remaining': header('Requests left.', 'integer'),
      'RateLimit-Reset': header('Unix time of the reset.', 'integer'),
      'RateLimit-ResetTime': header('Time of the reset as an HTTP date.', 'string')
    },
    content: { 'text/plain': { schema: { const: 'Retry later' } } }
  },
  431: json('The headers are too large.', 'Failure'),
  500: json('Unexpected error.', 'Message', 'OAuthFailure'),
  503: {
    ...json('Overloaded, or a dependency is unavailable.', 'Message', 'OAuthFailure'),
    headers: { 'Retry-After': header('Seconds to wait.', 'integer') }
  }
}

export type SharedStatus = keyof typeof sharedResponses

function json(description: string, ...names: (keyof typeof shapes)[]) {
  const references = names.map(name => ({ $ref: `#/components/schemas/${name}` }))

  return { description, content: { 'application/json': { schema: references.length === 1 ? references[0] : { anyOf: references } } } }
}

function header(description: string, type: string) {
  return { description, schema: { type } }
}
