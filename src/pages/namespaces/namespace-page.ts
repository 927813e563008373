import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../http/problems/problems.ts'
import { viewerOf } from '../../identity/identify.ts'
import { listUsers, selectUsers } from '../../identity/users/routes/list-users.ts'
import { alertBot } from '../../issues/routes/present-issue.ts'
import { FormerPath } from '../../namespaces/former-path.ts'
import { findGroup, findProject } from '../../projects/find-project.ts'
import { findMemberSource } from '../../projects/members/member-source.ts'
import { listMilestones } from '../../projects/milestones/list-milestones.ts'
import { groupPage } from '../groups/group-page.ts'
import { identifyReader, isBrowser } from '../layout/problem-page.ts'
import { milestonePage } from './milestone-page.ts'
import { alertBotPage, userPage } from './user-page.ts'

/** The page at the `web_url` of a project, a user, a group or a milestone; undefined when the path belongs to none that the reader may see. */
export async function namespacePage(request: FastifyRequest, reply: FastifyReply) {
  const [address = ''] = request.url.split('?', 1)
  const path = /^\/([\w.-]+(?:\/[\w.-]+)*)\/?$/.exec(address)?.[1]
  const code = readPageAddress(address)

  if (request.method !== 'GET' || !(path || code) || !isBrowser(request)) return undefined
  await identifyReader(request)
  if (request.caller?.user.mustChangePassword) return undefined
  if (code) return showPageOf(request, reply, code)
  if (!path) return undefined
  const milestone = /^(groups\/)?(.+)\/-\/milestones\/(\d{1,15})$/.exec(path)

  if (milestone) return showMilestone(request, reply, milestone)
  const isNamed = !path.includes('/')

  if (path.startsWith('groups/')) return showGroup(request, reply, path.slice('groups/'.length))

  return (isNamed ? await showUser(request, reply, path) : await showProject(request, reply, path)) ?? showGroup(request, reply, path)
}

interface PageAddress {
  path: string
  rest: string
}

/** The address of a directory, file, history, commit, pipeline, job or package of a project, such as `/group/shop/-/tree/main`. */
function readPageAddress(address: string): PageAddress | undefined {
  const at = address.indexOf('/-/')
  const [path, rest] = [address.slice(1, at), address.slice(at + 3)]
  const kind = /^(?:(tree|blob|raw|commits|commit)|pipelines|jobs|packages)\/./.exec(rest)

  return at > 0 && path.includes('/') && kind ? { path, rest: kind[1] ? `code/${rest}` : rest } : undefined
}

async function showPageOf(request: FastifyRequest, reply: FastifyReply, { path, rest }: PageAddress) {
  const project = await orUndefined(() => findProject(request.server.platform.fork(), viewerOf(request), path))

  return project && reply.redirect(`/projects/${project.id}/${rest}`)
}

async function showProject(request: FastifyRequest, reply: FastifyReply, path: string) {
  const project = await orUndefined(() => findProject(request.server.platform.fork(), viewerOf(request), path))

  return project && reply.redirect(`/projects/${project.id}`)
}

async function showMilestone(request: FastifyRequest, reply: FastifyReply, [, isGroup, path, iid]: RegExpExecArray) {
  const em = request.server.platform.fork()
  const kind = isGroup ? 'groups' : 'projects'

  const found = await orUndefined(async () => {
    const source = await findMemberSource(em, viewerOf(request), kind, path!)
    const [milestone] = await listMilestones(em, source, { iids: [Number(iid)] }).list(1)

    return milestone
  })

  // Former paths have no milestones.
  return found && 'title' in found ? milestonePage(reply.code(200), em, found) : undefined
}

async function showUser(request: FastifyRequest, reply: FastifyReply, username: string) {
  const query = selectUsers(request.server.platform.fork(), viewerOf(request), { username })
  const [user] = await listUsers(query, { by: 'id', sort: 'asc' }, 1)

  if (username === alertBot.username && !user) return alertBotPage(reply.code(200))

  return user && userPage(reply.code(200), user)
}

async function showGroup(request: FastifyRequest, reply: FastifyReply, path: string) {
  const em = request.server.platform.fork()
  const group = await orUndefined(() => findGroup(em, viewerOf(request), path))

  return group && 'fullPath' in group ? groupPage(reply.code(200), em, group) : undefined
}

/** The resource at a former path has only its id. */
async function orUndefined<T>(find: () => Promise<T>): Promise<T | { id: number } | undefined> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof FormerPath) return { id: error.to }
    if (error instanceof Problem) return undefined
    throw error
  }
}
