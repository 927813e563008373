import type { Config } from '../../config.ts'
import { BadParameter, ValidationFailed } from '../../http/problems/problems.ts'
import { decrypt, encrypt } from '../../platform/database/encryption.ts'
import type { ErrorSetting } from './error-setting.ts'
import { connect } from './tracked-project.ts'

/** What a maintainer sets; of the tracker, only what is to change. */
export interface Wanted {
  active: boolean
  integrated: boolean
  api_url?: string
  token?: string
  project_name?: string
  tracker_external_url?: string
  sentry_external_url?: string
}

/** What is to be stored of an external tracker, which must answer first. Nothing where nothing changes. */
export async function linkTracker(config: Config, projectId: number, wanted: Wanted, known: ErrorSetting | null) {
  const isNew = wanted.api_url !== undefined || wanted.token !== undefined

  if (wanted.integrated && isNew) throw new BadParameter('api_url and token go with integrated false only')
  // Where errors come in here, no credential for another place is kept.
  if (wanted.integrated) return { apiUrl: null, trackerToken: null, projectName: null, trackerExternalUrl: null }
  if (!wanted.active && !isNew) return {}

  const apiUrl = wanted.api_url ?? known?.apiUrl
  const token = wanted.token ?? (await keptToken(config, known, apiUrl))

  if (!apiUrl || !token) throw new ValidationFailed(missing({ api_url: apiUrl, token }))
  const project = await connect(apiUrl, token, config.outbound)

  return {
    apiUrl,
    trackerToken: await encrypt(config, token, ownerOf(projectId)),
    projectName: wanted.project_name ?? project.name ?? null,
    trackerExternalUrl: wanted.tracker_external_url ?? wanted.sentry_external_url ?? project.externalUrl ?? null
  }
}

/** Only for where it was given for: another host has no business with it. */
async function keptToken(config: Config, known: ErrorSetting | null, apiUrl: string | null | undefined) {
  const isSameHost = known?.apiUrl && apiUrl && URL.parse(known.apiUrl)?.origin === URL.parse(apiUrl)?.origin

  return isSameHost && known.trackerToken ? decrypt(config, known.trackerToken, ownerOf(known.projectId)) : undefined
}

function ownerOf(projectId: number) {
  return `tracker of project ${projectId}`
}

function missing(values: Record<string, unknown>) {
  const names = Object.keys(values).filter(name => !values[name])

  return Object.fromEntries(names.map(name => [name, ['is a required field']]))
}
