import type { Config } from '#config.ts'
import { InvalidInput, ValidationFailed } from '#lib/refusals.ts'
import { decrypt, encrypt } from '#platform/database/encryption.ts'
import type { ErrorSetting } from './error-setting.ts'
import { findTrackedProject } from './tracked-project.ts'

/** Undefined values stay unchanged. */
export interface TrackerChanges {
  active: boolean
  integrated: boolean
  api_url?: string
  token?: string
  project_name?: string
  tracker_external_url?: string
  sentry_external_url?: string
}

/** Checks that an external tracker is reachable and returns its columns; empty if nothing changes. */
export async function linkTracker(config: Config, projectId: number, changes: TrackerChanges, setting: ErrorSetting | null) {
  const hasConnection = changes.api_url !== undefined || changes.token !== undefined

  if (changes.integrated && hasConnection) throw new InvalidInput('api_url and token require integrated false')
  // Integrated tracking needs no credentials of another tracker.
  if (changes.integrated) return { apiUrl: null, trackerToken: null, projectName: null, trackerExternalUrl: null }
  // Other settings can be changed while a linked tracker does not answer.
  if (!hasConnection && (!changes.active || isLinked(setting))) return {}
  const { apiUrl, token, project } = await testTracker(config, changes, setting)

  return {
    apiUrl,
    trackerToken: await encrypt(config, token, ownerOf(projectId)),
    projectName: changes.project_name ?? project.name ?? null,
    trackerExternalUrl: changes.tracker_external_url ?? changes.sentry_external_url ?? project.externalUrl ?? null
  }
}

/** Fetches the project from a tracker, as linking does. Changes nothing. */
export async function testTracker(config: Config, { api_url, token: given }: Partial<TrackerChanges>, setting: ErrorSetting | null) {
  const apiUrl = api_url ?? setting?.apiUrl
  const token = given ?? (await storedToken(config, setting, apiUrl))

  if (!apiUrl || !token) throw new ValidationFailed(missing({ api_url: apiUrl, token }))

  return { apiUrl, token, project: await findTrackedProject(apiUrl, token, config.outbound) }
}

function isLinked(setting: ErrorSetting | null) {
  return Boolean(setting?.active && !setting.integrated && setting.trackerToken)
}

/** Undefined for another host than the one that the token was stored for, which must not receive it. */
async function storedToken(config: Config, setting: ErrorSetting | null, apiUrl: string | null | undefined) {
  const isSameHost = setting?.apiUrl && apiUrl && URL.parse(setting.apiUrl)?.origin === URL.parse(apiUrl)?.origin

  return isSameHost && setting.trackerToken ? decrypt(config, setting.trackerToken, ownerOf(setting.projectId)) : undefined
}

function ownerOf(projectId: number) {
  return `tracker of project ${projectId}`
}

function missing(values: Record<string, unknown>) {
  const names = Object.keys(values).filter(name => !values[name])

  return Object.fromEntries(names.map(name => [name, ['is a required field']]))
}
