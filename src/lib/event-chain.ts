const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The UUID of the webhook event that led to a request; undefined for what begins by itself. Receivers of webhooks that send our
 * `X-Gitlab-Event-UUID` on, as GitLab's do, cause no endless chains of events.
 */
export function eventChainOf({ headers }: { headers: Record<string, unknown> }) {
  const given = headers['x-gitlab-event-uuid']

  return typeof given === 'string' && uuid.test(given) ? given.toLowerCase() : undefined
}
