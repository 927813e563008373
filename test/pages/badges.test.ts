import t from 'tap'
import { alertStatuses } from '#alerts/alert.ts'
import { severities } from '#lib/severity.ts'
import { severityBadge } from '#pages/layout/severity-badge.ts'
import { statusBadge } from '#pages/layout/status-badge.ts'

t.test('badges name their severity and status, and each has an icon of its own that screen readers skip', async t => {
  for (const [names, badgeOf] of [
    [severities, severityBadge],
    [alertStatuses, statusBadge]
  ] as [readonly string[], (name: string) => object][]) {
    const icons = names.map(name => {
      const [, icon] = new RegExp(`^<span class="badge ${name}"><svg class="icon" [^>]*aria-hidden="true">(.+)</svg>${name}</span>$`).exec(
        String(badgeOf(name))
      )!

      return icon
    })

    t.equal(new Set(icons).size, names.length, names.join())
  }
})
