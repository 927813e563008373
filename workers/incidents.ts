import { updateIncidents } from '#incidents/jobs.ts'
import { updateIncidentsOf } from '#incidents/update-incidents.ts'
import { handle } from '#platform/queue/handler.ts'

export const incidents = [
  handle(updateIncidents, async (items, { em, config, signal }) => {
    for (const item of items) {
      await updateIncidentsOf(em, item, { baseUrl: config.baseUrl, signal })
    }
  })
]
