import { lockForChange } from '../../http/conditional-requests.ts'
import { NotFound, ValidationFailed } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { lockTransaction } from '../../platform/database/locks.ts'
import { checkCertificate } from './certificate.ts'
import { findPagesSetting, type PagesEditor, recordPages } from './change-pages.ts'
import { PagesDomain } from './pages-domain.ts'
import { PagesSetting } from './pages-setting.ts'

/** Undefined values stay unchanged; an empty certificate is removed. */
export interface DomainChanges {
  isAutoSsl?: boolean
  certificate?: string
  key?: string
}

const maxDomains = 100
/** Labels of RFC 1123, at least two. */
const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

export async function addDomain(em: EntityManager, editor: PagesEditor, baseUrl: string, name: string, changes: DomainChanges) {
  const projectId = editor.project.id
  const domain = checkName(name, new URL(baseUrl).hostname)

  return em.transactional(async em => {
    // Domains are unique in the installation.
    await lockTransaction(em, 'pages domains')
    if ((await em.count(PagesDomain, { domain })) > 0) throw new ValidationFailed({ domain: ['has already been taken'] })
    if ((await em.count(PagesDomain, { projectId })) >= maxDomains) {
      throw new ValidationFailed({ base: [`A project can have at most ${maxDomains} domains`] })
    }
    const added = em.create(PagesDomain, { projectId, domain })

    await assignValues(em, added, changes)
    await em.flush()
    recordPages(em, editor, 'pages_domain_created', { domain })

    return added
  })
}

export function changeDomain(em: EntityManager, editor: PagesEditor, name: string, changes: DomainChanges) {
  return em.transactional(async em => {
    const domain = await findDomain(em, editor.project.id, name)

    await lockForChange(em, domain, editor.actor)
    await assignValues(em, domain, changes)
    recordPages(em, editor, 'pages_domain_updated', { domain: domain.domain })

    return domain
  })
}

export async function deleteDomain(em: EntityManager, editor: PagesEditor, name: string) {
  const projectId = editor.project.id

  await em.transactional(async em => {
    const domain = await findDomain(em, projectId, name)

    await lockForChange(em, domain, editor.actor)
    await em.nativeUpdate(PagesSetting, { projectId, primaryDomain: domain.domain }, { primaryDomain: null })
    recordPages(em, editor, 'pages_domain_deleted', { domain: domain.domain })
    em.remove(domain)
  })
}

export async function findDomain(em: EntityManager, projectId: number, name: string) {
  const domain = await em.findOne(PagesDomain, { projectId, domain: name.toLowerCase() })

  if (!domain) throw new NotFound('PagesDomain')

  return domain
}

async function assignValues(em: EntityManager, domain: PagesDomain, { isAutoSsl, certificate, key }: DomainChanges) {
  if (certificate) checkCertificate(certificate, key, domain.certificate)
  else if (key) throw new ValidationFailed({ key: ["doesn't match the certificate"] })
  if (certificate !== undefined) domain.certificate = certificate || null
  if (isAutoSsl !== undefined) domain.isAutoSsl = isAutoSsl
  if (domain.certificate || domain.isAutoSsl) return
  if ((await findPagesSetting(em, domain.projectId)).isHttpsOnly) {
    throw new ValidationFailed({ certificate: ['must be present if HTTPS-only is enabled'] })
  }
}

function checkName(name: string, ownHost: string) {
  const domain = name.toLowerCase()

  if (!hostName.test(domain)) throw new ValidationFailed({ domain: ['is not a valid domain name'] })
  if (domain === ownHost || domain.endsWith(`.${ownHost}`)) throw new ValidationFailed({ domain: [`*.${ownHost} is restricted`] })

  return domain
}
