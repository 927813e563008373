import { type Json, objectOrEmpty, textOrEmpty } from '#lib/json.ts'

const maxAddressLength = 2048

/** Groups CSP reports by directive and blocked host. */
export function cspVariant(event: Json) {
  const report = objectOrEmpty(event.csp ?? event['csp-report'])
  const directive = directiveOf(report)

  return directive && `csp\n${directive}\n${blockedHost(report)}`
}

/** Browsers use dashes, the Reporting API camel case, and SDKs underscores. */
function directiveOf(report: Json) {
  const directive =
    textOrEmpty(report.effective_directive ?? report['effective-directive'] ?? report.effectiveDirective) ||
    textOrEmpty(report.violated_directive ?? report['violated-directive'])

  return directive.slice(0, 200).trim().split(/\s/, 1)[0]!.toLowerCase()
}

function blockedHost(report: Json) {
  const blocked = textOrEmpty(report.blocked_uri ?? report['blocked-uri'] ?? report.blockedURL)
    .slice(0, maxAddressLength)
    .replaceAll("'", '')
  const host = hostOf(blocked)
  const documentHost = hostOf(textOrEmpty(report.document_uri ?? report['document-uri'] ?? report.documentURL).slice(0, maxAddressLength))

  return blocked === '' || (host && host === documentHost) ? 'self' : host || blocked.split(':', 1)[0]!.slice(0, 100)
}

function hostOf(address: string) {
  return URL.parse(address.startsWith('//') ? `https:${address}` : address)?.host ?? ''
}
