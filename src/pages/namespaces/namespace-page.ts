import type { FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { viewerOf } from '#identity/identify.ts'
import { listUsers, selectUsers } from '#identity/users/list-users.ts'
import type { Viewer } from '#identity/viewer.ts'
import { alertBot } from '#issues/present-issue.ts'
import { Refusal } from '#lib/refusals.ts'
import { FormerPath } from '#namespaces/former-path.ts'
import { findGroup, findProject } from '#projects/find-project.ts'
import { externalLink } from '../layout/external-link.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { acceptsPages, identifyReader } from '../layout/problem-page.ts'
import { groupPage } from './group-page.ts'
import { type PageAddress, readPageAddress } from './page-address.ts'

declare module '#platform/extra.ts' {
  interface Extra {
    /** Sends the page at a `web_url` of the extra; false when there is none that the reader may see. */
    showNamespacePage?: (request: FastifyRequest, reply: FastifyReply, path: string) => Promise<boolean>
  }
}

/** Sends the page at the `web_url` of a project, a user or a group, or at GitLab's address of a page; false when there is none that the reader may see. */
export async function namespacePage(request: FastifyRequest, reply: FastifyReply) {
  const [address = ''] = request.url.split('?', 1)
  const path = /^\/([\w.-]+(?:\/[\w.-]+)*)\/?$/.exec(address)?.[1]
  const pageAddress = readPageAddress(address)

  if (request.method !== 'GET' || !(path || pageAddress) || !acceptsPages(request)) return false
  await identifyReader(request)
  if (request.caller?.user.mustChangePassword) return false
  if (pageAddress) return showPageOf(request, reply, pageAddress)
  if (!path) return false

  for (const { showNamespacePage } of request.server.platform.extras) if (await showNamespacePage?.(request, reply, path)) return true
  const isNamed = !path.includes('/')

  if (path.startsWith('groups/')) return showGroup(request, reply, path.slice('groups/'.length))

  return (isNamed ? await showUser(request, reply, path) : await showProject(request, reply, path)) || showGroup(request, reply, path)
}

function showPageOf(request: FastifyRequest, reply: FastifyReply, { path, rest }: PageAddress) {
  const query = request.url.indexOf('?')

  return showProject(request, reply, path, `/${rest}${query < 0 ? '' : request.url.slice(query)}`)
}

async function showProject(request: FastifyRequest, reply: FastifyReply, path: string, rest = '') {
  const project = await orUndefined(() => findProject(request.em, request.viewer, path))

  if (project) redirect(reply, `/projects/${project.id}${rest}`, 302)

  return project !== undefined
}

async function showUser(request: FastifyRequest, reply: FastifyReply, username: string) {
  const query = selectUsers(request.em, request.viewer, { username })
  const [user] = await listUsers(request.em, query).list(1)

  if (user) userPage(reply.code(200), user)
  else if (username === alertBot.username) alertBotPage(reply.code(200))
  else return false

  return true
}

async function showGroup(request: FastifyRequest, reply: FastifyReply, path: string) {
  const group = await orUndefined(() => findGroup(request.em, request.viewer, path))

  if (!group || !('fullPath' in group)) return false
  await groupPage(reply.code(200), request.em, group)

  return true
}

/** The resource at a former path has only its id. */
export async function orUndefined<T>(find: () => Promise<T>): Promise<T | { id: number } | undefined> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof FormerPath) return { id: error.to }
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** The author of what alerts caused. */
function alertBotPage(reply: FastifyReply) {
  return page(
    reply,
    { title: alertBot.name },
    html`<h1>${alertBot.name}</h1><p class="lead">@${alertBot.username}</p><p>Opens and closes incidents with their alerts.</p>`
  )
}

/** A user's public profile. A private one has only the name for others. */
function userPage(reply: FastifyReply, user: Viewer) {
  const reader = viewerOf(reply.request)
  const isOpen = !user.isPrivateProfile || reader?.isAdmin || reader?.id === user.id
  const facts = [
    ['Job title', user.jobTitle],
    ['Organisation', user.organization],
    ['Location', user.location],
    ['E-mail', user.publicEmail],
    ['Website', user.websiteUrl && externalLink(user.websiteUrl)]
  ] as const

  return page(
    reply,
    { title: user.name },
    html`
    <h1>${user.name}</h1>
    <p class="lead">@${user.username}</p>
    ${isOpen && html`${user.bio && html`<p class="user-text">${user.bio}</p>`}<dl class="facts">${facts.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`}
    ${reader?.id === user.id && html`<p><a class="button plain" href="/-/profile">Edit your profile</a></p>`}`
  )
}
