import Type from 'typebox'
import { paging } from '../../http/pagination/offset.ts'
import { Nullable } from '../../http/parameters/nullable.ts'
import { ById } from '../schemas.ts'
import { describeCertificate } from './certificate.ts'
import type { PagesDomain } from './pages-domain.ts'
import type { PagesSetting } from './pages-setting.ts'

const Pem = Type.String({ maxLength: 100_000 })

export const PagesBody = Type.Object({
  pages_unique_domain_enabled: Type.Optional(Type.Boolean()),
  pages_https_only: Type.Optional(Type.Boolean()),
  pages_primary_domain: Type.Optional(
    Nullable(Type.String({ maxLength: 253, description: 'One of the domains of the project; empty for none.' }))
  )
})

export const PagesShape = Type.Object({
  url: Type.Null({ description: 'Static sites are not hosted.' }),
  is_unique_domain_enabled: Type.Boolean(),
  force_https: Type.Boolean(),
  primary_domain: Nullable(Type.String()),
  deployments: Type.Array(Type.Object({}), { maxItems: 0 })
})

export const DomainParams = Type.Object({ ...ById.properties, domain: Type.String() })
export const AllDomainsQuery = Type.Object({ ...paging, domain: Type.Optional(Type.String({ maxLength: 253 })) })

export const DomainBody = Type.Object({
  auto_ssl_enabled: Type.Optional(Type.Boolean()),
  certificate: Type.Optional({ ...Pem, description: 'In PEM, with intermediates; a text or a file. An empty text removes it.' }),
  key: Type.Optional({ ...Pem, description: 'The private key in PEM: compared with the certificate, and not stored.' })
})
export const NewDomainBody = Type.Object({ domain: Type.String({ minLength: 1, maxLength: 253 }), ...DomainBody.properties })

const domainFields = {
  domain: Type.String(),
  url: Type.String(),
  verified: Type.Literal(false, { description: 'Domains are not verified, as nothing is served from them.' }),
  verification_code: Type.String(),
  enabled_until: Type.Null(),
  auto_ssl_enabled: Type.Boolean()
}

export const DomainShape = Type.Object({
  ...domainFields,
  certificate: Type.Optional(
    Type.Object({ subject: Type.String(), expired: Type.Boolean(), certificate: Type.String(), certificate_text: Type.String() })
  )
})

export const DomainSummary = Type.Object({
  ...domainFields,
  project_id: Type.Integer(),
  certificate_expiration: Type.Optional(Type.Object({ expired: Type.Boolean(), expiration: Type.String() }))
})

export function presentPages({ isUniqueDomainEnabled, isHttpsOnly, primaryDomain }: PagesSetting) {
  return {
    url: null,
    is_unique_domain_enabled: isUniqueDomainEnabled,
    force_https: isHttpsOnly,
    primary_domain: primaryDomain ?? null,
    deployments: []
  }
}

export function presentDomain(domain: PagesDomain, now: Date) {
  if (!domain.certificate) return presentFields(domain)
  const { expiration, ...certificate } = describeCertificate(domain.certificate, now)

  return { ...presentFields(domain), certificate }
}

export function presentSummary(domain: PagesDomain, now: Date) {
  const summary = { ...presentFields(domain), project_id: domain.projectId }

  if (!domain.certificate) return summary
  const { expired, expiration } = describeCertificate(domain.certificate, now)

  return { ...summary, certificate_expiration: { expired, expiration: expiration.toISOString() } }
}

function presentFields({ domain, certificate, verificationCode, isAutoSsl }: PagesDomain) {
  return {
    domain,
    url: `${certificate ? 'https' : 'http'}://${domain}`,
    verified: false as const,
    verification_code: verificationCode,
    enabled_until: null,
    auto_ssl_enabled: isAutoSsl
  }
}
