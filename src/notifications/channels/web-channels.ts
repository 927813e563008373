import { discord } from './kinds/discord.ts'
import { ntfy } from './kinds/ntfy.ts'
import { pagerduty } from './kinds/pagerduty.ts'
import { mattermost, slack } from './kinds/slack.ts'
import { teams } from './kinds/teams.ts'
import { webhook } from './kinds/webhook.ts'
import type { WebChannel } from './web-channel.ts'

/** Every receiver that takes messages by HTTP, by its kind. */
const webChannels = { webhook, slack, mattermost, discord, teams, ntfy, pagerduty }

export type ChannelKind = 'email' | keyof typeof webChannels

export const channelKinds = ['email', ...Object.keys(webChannels)] as ChannelKind[]

export function webChannelOf(kind: ChannelKind) {
  return kind === 'email' ? undefined : (webChannels[kind] as unknown as WebChannel)
}
