import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from './settings.ts'

/** A setting that has no effect without another one. */
const partners = [
  ['RECAPTCHA_SITE_KEY', 'RECAPTCHA_SECRET_KEY'],
  ['RECAPTCHA_SECRET_KEY', 'RECAPTCHA_SITE_KEY'],
  ['RECAPTCHA_VERIFY_URL', 'RECAPTCHA_SITE_KEY'],
  ['SPAM_CHECK_URL', 'SPAM_CHECK_KEY'],
  ['SPAM_CHECK_KEY', 'SPAM_CHECK_URL'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_SECRET'],
  ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
  ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
  ['OIDC_REQUIRED_GROUP', 'OIDC_ISSUER']
] as const

/** Adds a sentence to `problems` for each setting that is missing beside another. */
export function checkNeeded(settings: Settings, problems: string[]) {
  for (const [given, needed] of partners)
    if (settings[given] && !settings[needed] && !problems.some(problem => problem.startsWith(`${needed} `)))
      problems.push(`${needed} is needed together with ${given}.`)
  if (settings.DATABASE_URL && !settings.SECRET_KEY && !problems.some(problem => problem.startsWith('SECRET_KEY ')))
    problems.push(`SECRET_KEY is needed together with DATABASE_URL, the same for all processes. ${keyFor(settings.DATA_DIR)}`)
}

/** A warning for a limit that another setting lowers. `isGiven` tells defaults apart. */
export function findUnused({ WEBHOOK_CONCURRENCY, DELIVERIES_CONCURRENCY }: Settings, isGiven: (name: string) => boolean) {
  const used = Math.ceil(DELIVERIES_CONCURRENCY / 2)

  if (WEBHOOK_CONCURRENCY <= used || !isGiven('WEBHOOK_CONCURRENCY')) return []

  return [
    `WEBHOOK_CONCURRENCY is ${WEBHOOK_CONCURRENCY}, of which ${used} are used: half of DELIVERIES_CONCURRENCY. ` +
      `Set DELIVERIES_CONCURRENCY to ${2 * WEBHOOK_CONCURRENCY}, or lower WEBHOOK_CONCURRENCY.`
  ]
}

/** An installation may have made a key before it got a database of its own. */
function keyFor(dataDir: string) {
  const file = join(dataDir, 'secret.key')

  return existsSync(file) ? `This installation has one: SECRET_KEY=$(cat ${file})` : 'Make one: openssl rand -base64 32'
}
