import { ValidationFailed } from '../../http/problems/problems.ts'
import { fetchOutbound, Unreachable } from '../../platform/network/outbound.ts'

/** What a tracker says of the project that its API address leads to. */
export interface TrackedProject {
  name?: string
  externalUrl?: string
}

/** Asks a tracker with Sentry's API for the project at this address; what stands in the way is told by attribute. */
export async function connect(apiUrl: string, token: string, { allowsPrivate }: { allowsPrivate: boolean }): Promise<TrackedProject> {
  const { status, text } = await askTracker(readAddress(apiUrl), token, allowsPrivate)

  if (status === 401 || status === 403) throw new ValidationFailed({ token: [`was refused by the tracker (${status})`] })
  if (status === 404) throw new ValidationFailed({ api_url: ['leads to no project of the tracker (404)'] })
  if (status >= 300 && status < 400) throw new ValidationFailed({ api_url: [`leads elsewhere (${status}), which is not followed`] })
  if (status !== 200) throw new ValidationFailed({ api_url: [`was answered with ${status} by the tracker`] })

  return { name: readName(text), externalUrl: pageOf(apiUrl) }
}

async function askTracker(url: URL, token: string, allowsPrivate: boolean) {
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

/** `Organization / Project`, or as much of it as there is. */
function readName(text: string) {
  const { name, organization } = readObject(text)
  const parts = [organization?.name, name].filter(part => typeof part === 'string' && part !== '')

  return parts.join(' / ').slice(0, 255) || undefined
}

function readObject(text: string): { name?: unknown; organization?: { name?: unknown } } {
  try {
    const given = JSON.parse(text)

    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given
  } catch {}

  throw new ValidationFailed({ api_url: ['does not answer as the API of a project: that is a JSON object'] })
}

/** Where people look at the project: `…/api/0/projects/shop/web/` is about `…/shop/web/`. */
function pageOf(apiUrl: string) {
  const path = /\/api\/\d+\/projects\//

  return path.test(apiUrl) ? apiUrl.replace(path, '/') : undefined
}
