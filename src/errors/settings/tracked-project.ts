import { ValidationFailed } from '#lib/refusals.ts'
import { fetchOutbound, Unreachable } from '#platform/network/outbound.ts'

interface TrackedProject {
  name?: string
  externalUrl?: string
}

/** Fetches a project from a tracker with Sentry's API. Failures are validation errors of the attribute that caused them. */
export async function findTrackedProject(
  apiUrl: string,
  token: string,
  { allowsPrivate }: { allowsPrivate: boolean }
): Promise<TrackedProject> {
  const { status, text } = await request(readAddress(apiUrl), token, allowsPrivate)

  if (status === 401 || status === 403) throw new ValidationFailed({ token: [`was refused by the tracker (${status})`] })
  if (status === 404) throw new ValidationFailed({ api_url: ['is not the URL of a project of the tracker (404)'] })
  if (status >= 300 && status < 400)
    throw new ValidationFailed({ api_url: [`responded with a redirect (${status}), which is not followed`] })
  if (status !== 200) throw new ValidationFailed({ api_url: [`responded with status ${status}`] })

  return { name: readName(text), externalUrl: pageOf(apiUrl) }
}

async function request(url: URL, token: string, allowsPrivate: boolean) {
  try {
    return await fetchOutbound(url, { headers: { authorization: `Bearer ${token}`, accept: 'application/json' }, allowsPrivate })
  } catch (error) {
    if (error instanceof Unreachable) throw new ValidationFailed({ api_url: [error.message] })
    throw error
  }
}

function readAddress(apiUrl: string) {
  const url = URL.parse(apiUrl)

  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new ValidationFailed({ api_url: ['must be an http or https address without a user name'] })
  }

  return url
}

/** `Organization / Project`, without missing parts. */
function readName(text: string) {
  const { name, organization } = readObject(text)
  const parts = [organization?.name, name].filter(part => typeof part === 'string' && part !== '')

  return parts.join(' / ').slice(0, 255) || undefined
}

function readObject(text: string): { name?: unknown; organization?: { name?: unknown } } {
  try {
    const value = JSON.parse(text)

    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {}

  throw new ValidationFailed({ api_url: ['is not the API of a project: the response is not a JSON object'] })
}

/** The page of the project: `…/shop/web/` for `…/api/0/projects/shop/web/`. */
function pageOf(apiUrl: string) {
  const path = /\/api\/\d+\/projects\//

  return path.test(apiUrl) ? apiUrl.replace(path, '/') : undefined
}
