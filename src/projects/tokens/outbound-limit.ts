import { isRemoved, type Version } from '#lib/deprecations/stages.ts'
import { Role } from '../members/member.ts'

const setting = 'job-token-outbound-limit'

/** From version 18.0 the setting does not exist, and is ignored as unknown parameters are. */
export function readOutboundLimit(version: Version, isLimited: boolean | undefined) {
  return isRemoved(version, setting) ? {} : { limitsJobTokenReach: isLimited }
}

/** For maintainers, who change it. */
export function presentOutboundLimit(version: Version, role: number, isLimited: boolean) {
  return role >= Role.maintainer && !isRemoved(version, setting) ? { ci_job_token_scope_enabled: isLimited } : {}
}
