import type { ChannelKind, WebChannel } from './channel.ts'
import { discord } from './kinds/discord.ts'
import { ntfy } from './kinds/ntfy.ts'
import { pagerduty } from './kinds/pagerduty.ts'
import { mattermost, slack } from './kinds/slack.ts'
import { teams } from './kinds/teams.ts'
import { webhook } from './kinds/webhook.ts'

/** Every receiver that takes messages by HTTP. */
export const webChannels = [slack, mattermost, discord, teams, ntfy, pagerduty, webhook] as unknown as WebChannel[]

export function webChannelOf(kind: ChannelKind) {
  return webChannels.find(channel => channel.kind === kind)
}
