import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { Role } from '#projects/members/member.ts'
import { dismissTask, type TaskScope, tryTaskAgain } from '#tasks/list-tasks.ts'
import { flash } from '../layout/flash.ts'
import { pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { taskLink } from './task-section.ts'

/**
 * Where failed tasks are tried again: developers those of their project, authors those that belong to no project, admins all. Developers
 * also dismiss those of their project; the others purge data, which nobody would find again.
 */
export async function taskActions(app: FastifyInstance) {
  const ofPerson = { onRequest: requirePerson(app) }
  const ofAdmin = { onRequest: requirePerson(app, app.requireAdmin) }

  tryAgain(app, ofPerson, '/projects/:id', async request => {
    const { project, projectUrl } = await pageContext(request, Role.developer)

    return { scope: { projectId: project.id }, page: `${projectUrl}/errors` }
  })
  dismiss(app, ofPerson)
  tryAgain(app, ofPerson, '/-', async ({ user }) => ({ scope: { author: user.id, projectId: null }, page: '/projects' }))
  tryAgain(app, ofAdmin, '/admin', async () => ({ scope: {}, page: '/admin' }))
}

type Guard = { onRequest: ReturnType<typeof requirePerson> }
type Find = (request: FastifyRequest) => Promise<{ scope: TaskScope; page: string }>

const taskId = ':task(^\\d{1,15}$)'

function tryAgain(app: FastifyInstance, guard: Guard, base: string, find: Find) {
  app.post<{ Params: { task: string } }>(`${base}/tasks/${taskId}/again`, guard, async (request, reply) => {
    const { scope, page } = await find(request)
    const { title } = await tryTaskAgain(app.platform.fork(), app.platform, scope, Number(request.params.task), new Date())

    flash(reply, `${title} continues where it stopped.`)

    return redirect(reply, `${page}${taskLink.href}`)
  })
}

function dismiss(app: FastifyInstance, guard: Guard) {
  app.post<{ Params: { task: string } }>(`/projects/:id/tasks/${taskId}/dismiss`, guard, async (request, reply) => {
    const { em, project, projectUrl } = await pageContext(request, Role.developer)
    const { title } = await dismissTask(em, project.id, Number(request.params.task))

    flash(reply, `${title} was dismissed. What it changed stays.`)

    return redirect(reply, `${projectUrl}/errors`)
  })
}
