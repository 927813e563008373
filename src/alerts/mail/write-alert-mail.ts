import type { Alert } from '../alert.ts'

interface Told {
  alert: Alert
  projectName: string
  became: 'triggered' | 'resolved'
  url: string
}

/** What stands in an e-mail about an alert. */
export function write({ alert, projectName, became, url }: Told) {
  const facts: [string, string | null | undefined][] = [
    ['Severity', alert.severity],
    ['Started', alert.startedAt.toISOString()],
    ['Ended', became === 'resolved' ? alert.endedAt?.toISOString() : undefined],
    ['Description', alert.description],
    ['Service', alert.service],
    ['Hosts', alert.hosts.join(', ')],
    ['Environment', alert.environment],
    ['Monitoring tool', alert.monitoringTool],
    ['Runbook', alert.runbook]
  ]
  const told = facts.filter((fact): fact is [string, string] => Boolean(fact[1]))
  const opening = `An alert was ${became} in ${projectName}:`

  return {
    subject: `${projectName} | Alert ${became}: ${alert.title}`,
    text: [opening, alert.title, told.map(([name, value]) => `${name}: ${value}`).join('\n'), url].join('\n\n'),
    html: `<p>${escaped(opening)}</p>
<h2 style="font-size: 1.2em"><a href="${escaped(url)}">${escaped(alert.title)}</a></h2>
<table>${told.map(([name, value]) => `<tr><th align="left" valign="top">${name}</th><td>${escaped(value)}</td></tr>`).join('\n')}</table>
`
  }
}

/** What monitoring tools send is text, not HTML. */
function escaped(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
