import * as endpoints from './endpoints.ts'
import * as resources from './resources.ts'
import * as rules from './rules.ts'
import type { Chapter } from './statement.ts'
import { transitions } from './states.ts'
import { graphql, schedule, versions } from './versions.ts'

/** The specification, statement by statement. */
export const chapters: readonly Chapter[] = [
  {
    title: 'Resources',
    sections: [
      resources.tokenResponse,
      resources.tokenInformation,
      resources.oauthApplication,
      resources.genericAlert,
      resources.metricsAlert,
      resources.severities,
      resources.notificationSetting,
      resources.eventRecord,
      resources.trackingSettings,
      resources.clientKey,
      resources.otherResources,
      resources.spamResponse
    ]
  },
  { title: 'States', sections: [transitions] },
  {
    title: 'Endpoints',
    sections: [
      endpoints.requestRules,
      endpoints.oauthEndpoints,
      endpoints.grants,
      endpoints.notificationEndpoints,
      endpoints.eventEndpoints,
      endpoints.trackingEndpoints,
      endpoints.sdkPayloads,
      endpoints.alertIntake,
      endpoints.storageMoves,
      endpoints.otherEndpoints,
      endpoints.offsetPages,
      endpoints.keysetPages
    ]
  },
  {
    title: 'Rules',
    sections: [rules.authentication, rules.activity, rules.statusCodes, rules.errorBodies, rules.limits]
  },
  { title: 'Versions', sections: [versions, schedule, graphql] }
]
