import { channelPage } from './channels/channel.ts'
import { newChannelPage } from './channels/new-channel.ts'
import { deliveryPage } from './deliveries/delivery.ts'
import { deliveriesPage } from './deliveries/delivery-list.ts'
import { mutePages } from './mutes.ts'
import { notificationsOverview } from './overview.ts'
import { rulePages } from './rules/rules.ts'

/** The pages of a project's notifications. */
export const notificationPages = [notificationsOverview, newChannelPage, channelPage, rulePages, mutePages, deliveriesPage, deliveryPage]
