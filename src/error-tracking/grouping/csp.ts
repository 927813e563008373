import { type Json, objectOrEmpty, textOrEmpty } from '../../lib/json.ts'

const longestAddress = 2048

/** A browser's report of what a page's policy forbade: the directive, and who was kept out. */
export function cspVariant(event: Json) {
  const report = objectOrEmpty(event.csp ?? event['csp-report'])
  const directive = directiveOf(report)

  return directive && `csp\n${directive}\n${blockedHost(report)}`
}

/** Browsers write it with dashes, the Reporting API in camel case, and intakes with underscores. */
function directiveOf(report: Json) {
  const given =
    textOrEmpty(report.effective_directive ?? report['effective-directive'] ?? report.effectiveDirective) ||
    textOrEmpty(report.violated_directive ?? report['violated-directive'])

  return given.slice(0, 200).trim().split(/\s/, 1)[0]!.toLowerCase()
}

function blockedHost(report: Json) {
  const blocked = textOrEmpty(report.blocked_uri ?? report['blocked-uri'] ?? report.blockedURL)
    .slice(0, longestAddress)
    .replaceAll("'", '')
  const host = hostOf(blocked)
  const own = hostOf(textOrEmpty(report.document_uri ?? report['document-uri'] ?? report.documentURL).slice(0, longestAddress))

  return blocked === '' || (host && host === own) ? 'self' : host || blocked.split(':', 1)[0]!.slice(0, 100)
}

function hostOf(address: string) {
  return URL.parse(address.startsWith('//') ? `https:${address}` : address)?.host ?? ''
}
