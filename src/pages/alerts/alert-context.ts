import type { FastifyRequest } from 'fastify'
import type { Alert } from '#alerts/alert.ts'
import { findAlert } from '#alerts/find-alert.ts'
import { Role } from '#projects/members/member.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'

export interface AlertContext extends PageContext {
  alert: Alert
  alertUrl: string
}

export async function alertContext(request: FastifyRequest): Promise<AlertContext> {
  const context = await pageContext(request, Role.developer)
  const iid = Number((request.params as { iid: string }).iid)
  const { alert } = await findAlert(context.em, request.user, {
    id: String(context.project.id),
    alert_iid: Number.isSafeInteger(iid) ? iid : 0
  })

  return { ...context, alert, alertUrl: `${context.projectUrl}/alerts/${alert.iid}` }
}
