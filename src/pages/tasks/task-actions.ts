import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { Role } from '#projects/members/member.ts'
import { type TaskScope, tryTaskAgain } from '#tasks/list-tasks.ts'
import { flash } from '../layout/flash.ts'
import { pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { taskLink } from './task-section.ts'

/** Where failed tasks are tried again: developers those of their project, authors those that belong to no project, admins all. */
export async function taskActions(app: FastifyInstance) {
  const ofPerson = { onRequest: requirePerson(app) }
  const ofAdmin = { onRequest: requirePerson(app, app.requireAdmin) }

  tryAgain(app, ofPerson, '/projects/:id', async request => {
    const { project, projectUrl } = await pageContext(request, Role.developer)

    return { scope: { projectId: project.id }, page: `${projectUrl}/errors` }
  })
  tryAgain(app, ofPerson, '/-', async ({ user }) => ({ scope: { author: user.id, projectId: null }, page: '/projects' }))
  tryAgain(app, ofAdmin, '/admin', async () => ({ scope: {}, page: '/admin' }))
}

type Find = (request: FastifyRequest) => Promise<{ scope: TaskScope; page: string }>

function tryAgain(app: FastifyInstance, guard: { onRequest: ReturnType<typeof requirePerson> }, base: string, find: Find) {
  app.post<{ Params: { task: string } }>(`${base}/tasks/:task(^\\d{1,15}$)/again`, guard, async (request, reply) => {
    const { scope, page } = await find(request)
    const { title } = await tryTaskAgain(app.platform.fork(), app.platform, scope, Number(request.params.task), new Date())

    flash(reply, `${title} continues where it stopped.`)

    return redirect(reply, `${page}${taskLink.href}`)
  })
}
