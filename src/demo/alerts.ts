import type { ProjectPath } from './shop.ts'

type Alert = Record<'title' | 'description' | 'severity' | 'service' | 'fingerprint', string> & { labels: Record<string, string> }

const alert = (title: string, severity: string, service: string, description: string): Alert => ({
  title,
  description,
  severity,
  service,
  fingerprint: `${service} ${title}`,
  labels: { team: service === 'cards' ? 'payments' : 'platform', cluster: 'eu-1' }
})

const latency = alert('p95 latency above 800 ms', 'high', 'orders', 'The slowest 5 % of requests to /api/orders take longer than 800 ms.')
const disk = alert('Disk 85 % full', 'medium', 'postgres', '/var/lib/postgresql on db-2 is at 85 %.')
const declines = alert('Declined cards above 12 %', 'high', 'cards', 'More cards than usual are declined at one provider.')
const outage = alert('Card gateway does not answer', 'critical', 'cards', 'Three probes in a row had no answer within 5 s.')
const certificate = alert('Certificate expires in 13 days', 'low', 'edge', 'shop.example.com')
const errors = alert('5xx above 2 %', 'critical', 'orders', 'The share of failed requests has been above 2 % for five minutes.')

/** Those without minutes still fire. */
export const history: { project: ProjectPath; alert: Alert; daysAgo: number; minutes?: number }[] = [
  { project: 'api', alert: latency, daysAgo: 25.3, minutes: 34 },
  { project: 'api', alert: disk, daysAgo: 22.1, minutes: 410 },
  { project: 'payments', alert: declines, daysAgo: 19.7, minutes: 55 },
  { project: 'api', alert: errors, daysAgo: 14.9, minutes: 22 },
  { project: 'api', alert: latency, daysAgo: 14.8, minutes: 41 },
  { project: 'payments', alert: outage, daysAgo: 9.4, minutes: 17 },
  { project: 'payments', alert: declines, daysAgo: 6.2, minutes: 73 },
  { project: 'api', alert: latency, daysAgo: 3.5, minutes: 12 },
  { project: 'storefront', alert: certificate, daysAgo: 1.2 },
  { project: 'api', alert: disk, daysAgo: 0.4 },
  { project: 'payments', alert: outage, daysAgo: 0.02 }
]

/** Fire and are resolved while one looks. */
export const passing: { project: ProjectPath; alert: Alert }[] = [
  { project: 'api', alert: latency },
  { project: 'payments', alert: declines },
  { project: 'storefront', alert: alert('Checkout conversion below 1.5 %', 'medium', 'checkout', 'Fewer carts than usual become orders.') }
]
