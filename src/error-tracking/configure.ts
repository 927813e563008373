import type { Config } from '../config.ts'
import { BadParameter, ValidationFailed } from '../http/problems.ts'
import { announce } from '../platform/announce.ts'
import type { EntityManager } from '../platform/database.ts'
import { seal, unseal } from '../platform/vault.ts'
import { ErrorSetting } from './setting.ts'
import { connect } from './tracker.ts'

/** What a maintainer sets; of the tracker, only what is to change. */
export interface Wanted {
  active: boolean
  integrated: boolean
  apiUrl?: string
  token?: string
  projectName?: string
  externalUrl?: string
}

/** Turns error tracking on or off, here or at an external tracker, which must answer first. */
export async function configure(em: EntityManager, config: Config, projectId: number, wanted: Wanted) {
  const known = await em.findOne(ErrorSetting, { projectId })
  const { active, integrated } = wanted
  const tracker = integrated ? forgotten(wanted) : await linkTracker(config, projectId, wanted, known)
  const setting = await em.upsert(ErrorSetting, { projectId, active, integrated, ...tracker })

  await announce(em, config, 'client-key')

  return setting
}

/** Where errors come in here, no credential for another place is kept. */
function forgotten({ apiUrl, token }: Wanted) {
  if (apiUrl !== undefined || token !== undefined) throw new BadParameter('api_url and token go with integrated false only')

  return { apiUrl: null, trackerToken: null, projectName: null, trackerExternalUrl: null }
}

async function linkTracker(config: Config, projectId: number, wanted: Wanted, known: ErrorSetting | null) {
  const isNew = wanted.apiUrl !== undefined || wanted.token !== undefined

  if (!wanted.active && !isNew) return {}
  const apiUrl = wanted.apiUrl ?? known?.apiUrl
  const token = wanted.token ?? (await keptToken(config, known, apiUrl))
  const missing = Object.entries({ api_url: apiUrl, token }).filter(([, given]) => !given)

  if (!apiUrl || !token) throw new ValidationFailed(Object.fromEntries(missing.map(([name]) => [name, ['is a required field']])))
  const project = await connect(apiUrl, token, config.outbound)

  return {
    apiUrl,
    trackerToken: await seal(config, token, ownerOf(projectId)),
    projectName: wanted.projectName ?? project.name ?? known?.projectName ?? null,
    trackerExternalUrl: wanted.externalUrl ?? project.externalUrl ?? known?.trackerExternalUrl ?? null
  }
}

/** Only for where it was given for: somebody else's host has no business with it. */
async function keptToken(config: Config, known: ErrorSetting | null, apiUrl: string | null | undefined) {
  const isSameHost = known?.apiUrl && apiUrl && URL.parse(known.apiUrl)?.origin === URL.parse(apiUrl)?.origin

  return isSameHost && known.trackerToken ? unseal(config, known.trackerToken, ownerOf(known.projectId)) : undefined
}

function ownerOf(projectId: number) {
  return `tracker of project ${projectId}`
}
