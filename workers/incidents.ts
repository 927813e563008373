import { updateIncidents } from '../src/incidents/jobs.ts'
import { updateIncidentsOf } from '../src/incidents/update-incidents.ts'
import { handle } from '../src/platform/queue/handler.ts'

export const incidents = [
  handle(updateIncidents, async (items, { em, config, signal }) => {
    for (const item of items) {
      await updateIncidentsOf(em, item, { baseUrl: config.baseUrl, signal })
    }
  })
]
