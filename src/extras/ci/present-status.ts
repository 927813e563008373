const icons: Record<string, string> = { skipped: 'skipped', manual: 'manual', created: 'created', scheduled: 'scheduled' }
const texts: Record<string, string> = { success: 'passed', manual: 'manual', scheduled: 'delayed' }

/** How GitLab's clients show a status. */
export function presentStatus(status: string, path: string) {
  const text = texts[status] ?? status
  const label = status === 'success' ? 'passed' : status

  return {
    icon: `status_${icons[status] ?? status}`,
    text: text[0]!.toUpperCase() + text.slice(1),
    label,
    group: status,
    tooltip: label,
    has_details: true,
    details_path: new URL(path).pathname,
    illustration: null,
    favicon: null
  }
}
