import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asProblem } from '#api/problems/problem-of.ts'
import { redirect } from '#api/redirect.ts'
import { entityList } from '#platform/database/list.ts'
import { deleteUser } from '#projects/deletion/delete-user.ts'
import { changeUserState } from '#projects/members/change-user-state.ts'
import { deleteSpamLog, getSpamLog, markAsHam } from '#spam/change-spam-log.ts'
import { SpamLog } from '#spam/spam-log.ts'
import { findServiceFailure } from '#spam/spam-store.ts'
import { flash } from '../layout/flash.ts'
import { numberedPage } from '../list.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { adminPage } from './admin-page.ts'
import { spamLogsView } from './spam-logs-view.ts'

const path = '/admin/spam_logs'

/** What an admin does about a spam log. */
const actions: Record<string, { run: (request: FastifyRequest, id: number) => Promise<unknown>; done: string }> = {
  ham: {
    run: (request, id) => markAsHam(em(request), request.server.platform.config, id, request.actor, new Date()),
    done: 'Marked as not spam.'
  },
  deletion: { run: (request, id) => deleteSpamLog(em(request), id, request.actor), done: 'Spam log deleted.' },
  block: {
    run: async (request, id) => changeUserState(em(request), request.actor, await authorOf(request, id), 'block', new Date()),
    done: 'User blocked.'
  },
  removal: {
    run: async (request, id) =>
      deleteUser(em(request), request.server.platform, await authorOf(request, id), { withProjects: true }, request.actor),
    done: 'User and personal projects deleted.'
  }
}

/** Texts that were recognized as spam, newest first. */
export async function spamLogsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }

  app.get(path, guard, (_, reply) => show(reply))

  for (const [name, { run, done }] of Object.entries(actions)) {
    app.post<{ Params: { id: string } }>(`${path}/:id(^\\d{1,15}$)/${name}`, guard, async (request, reply) => {
      try {
        await run(request, Number(request.params.id))
      } catch (error) {
        const problem = asProblem(error)

        if (!problem || problem.status === 404) throw error

        return show(reply.code(400), problem.summary())
      }
      flash(reply, done)

      return redirect(reply, path)
    })
  }
}

async function show(reply: FastifyReply, problem?: string) {
  const logs = entityList(em(reply.request), SpamLog, {}, { populate: ['user'] })
  const page = await numberedPage(reply.request, logs)
  const { spam } = reply.server.platform.config
  const failure = await findServiceFailure(em(reply.request))
  const view = { page, hasService: spam.url !== undefined, failure, problem, now: new Date() }

  return adminPage(reply, { title: 'Spam', tab: path }, spamLogsView(reply.request, view))
}

async function authorOf(request: FastifyRequest, id: number) {
  return (await getSpamLog(em(request), id)).user.id
}

function em({ server }: FastifyRequest) {
  return server.platform.fork()
}
