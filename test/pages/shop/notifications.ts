import { eventually, type openApp } from '../../support/world.ts'

type World = Awaited<ReturnType<typeof openApp>>

/** Channels and rules. The webhook is in a private network, so that its deliveries fail. */
export async function addRules({ call }: Pick<World, 'call'>, path: string) {
  const add = async (name: string, body: object): Promise<number> => (await call('POST', `${path}/notification_${name}`, body)).body.id
  const webhook = await add('channels', { kind: 'webhook', name: 'Pager', settings: { url: 'http://127.0.0.1:9/hooks/tocsin' } })
  const mail = await add('channels', { kind: 'email', name: 'Maintainers', settings: { roles: ['maintainer', 'owner'], assignees: true } })

  await add('channels', { kind: 'slack', name: '#ops', settings: { url: 'https://hooks.slack.com/services/T0/B0/x' } })
  const rule = await add('rules', {
    name: 'On call',
    triggers: ['error.new', 'error.frequent', 'alert.triggered'],
    threshold_events: 100,
    threshold_minutes: 5,
    severity_floor: 'high',
    environments: ['prod*'],
    channel_ids: [webhook, mail]
  })

  const mute = await add('mutes', {
    reason: 'Upgrade of db-2',
    tags: ['service=database'],
    ends_at: new Date(Date.now() + 14_400_000).toISOString()
  })

  return { channel: webhook, rule, mute }
}

/** The first delivery, once the receiver could not be reached. */
export function firstDelivery({ call }: Pick<World, 'call'>, path: string): Promise<{ id: number }> {
  return eventually(
    async () => (await call('GET', `${path}/notification_deliveries`)).body.findLast(({ answer }: { answer: string }) => answer),
    'it is tried'
  )
}
