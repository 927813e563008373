import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { maxCommitBytes } from '#extras/source-code/commits/new-commit-route.ts'
import { Forbidden } from '#lib/refusals.ts'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { isExternalPerson } from '#projects/members/roles.ts'
import { ById } from '#projects/schemas.ts'
import { Snippet } from '#snippets/snippet.ts'
import { spamCheckOf } from '#spam/spam-check.ts'
import { findOwnSnippet, findSnippet } from './find-snippet.ts'
import { presentSnippets, SnippetShape } from './present-snippet.ts'
import { NewSnippetBody, readChangedFiles, readNewFiles, SnippetBody, UserAgentDetail } from './snippet-schemas.ts'
import { createSnippet, deleteSnippet, updateSnippet } from './write-snippet.ts'

/** Creates, shows and changes snippets: of users at `/snippets`, of projects below them. */
export const snippetRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config, fork } = app.platform
  const isOfProject = path.includes(':id')
  const params = Type.Object({ ...(isOfProject ? ById.properties : {}), snippet_id: Type.Integer() })
  const forReaders = { config: { role: 'anyone' as const } }
  const forAuthors = {
    config: { role: isOfProject ? ('reporter' as const) : ('user' as const), additionalStatuses: [409 as const] },
    bodyLimit: maxCommitBytes
  }
  const show = async (id: number, request: FastifyRequest) => {
    const em = fork()
    const snippet = await em.findOneOrFail(Snippet, { id }, { populate: ['author'] })

    return (await presentSnippets(em, [snippet], { baseUrl: config.baseUrl, viewer: request.viewer }))[0]!
  }

  app.post(
    path,
    {
      ...forAuthors,
      schema: {
        summary: 'Create a snippet',
        ...(isOfProject && { params: ById }),
        body: NewSnippetBody,
        response: { 201: SnippetShape }
      }
    },
    async (request, reply) => {
      const { title, description, visibility } = request.body
      const { id: project } = request.params as { id?: string }
      const projectId = project === undefined ? null : (await findProject(request.em, request.user, project, Role.reporter)).id

      if (projectId === null && isExternalPerson(request.user)) throw new Forbidden()
      const snippet = await createSnippet(app.platform, request.user, {
        title,
        description: description ?? null,
        visibility: visibility ?? 'private',
        projectId,
        actions: readNewFiles(request.body),
        userAgent: (request.headers['user-agent'] ?? '').slice(0, 1000),
        ipAddress: request.ip,
        spam: spamCheckOf(request)
      })

      return reply.code(201).send(await show(snippet.id, request))
    }
  )

  app.get(
    `${path}/:snippet_id`,
    { ...forReaders, schema: { summary: 'Get a snippet', params, response: { 200: SnippetShape } } },
    async request => {
      const { id, snippet_id: snippetId } = request.params as Params

      await findSnippet(request.em, request.viewer, snippetId, id)

      return show(snippetId, request)
    }
  )

  app.put(
    `${path}/:snippet_id`,
    { ...forAuthors, schema: { summary: 'Update a snippet', params, body: SnippetBody, response: { 200: SnippetShape } } },
    async request => {
      const { title, description, visibility } = request.body
      const spam = spamCheckOf(request)
      const { id, snippet_id: snippetId } = request.params as Params
      const { snippet } = await findOwnSnippet(request.em, request.user, snippetId, id)
      const actions = readChangedFiles(request.body, snippet.fileNames)

      const deps = { git: app.platform.git, fork: () => request.em.fork() }

      await updateSnippet(deps, snippetId, request.user, { title, description, visibility, actions, spam })

      return show(snippetId, request)
    }
  )

  app.delete(
    `${path}/:snippet_id`,
    { ...forAuthors, schema: { summary: 'Delete a snippet', params, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { id, snippet_id: snippetId } = request.params as Params
      const { snippet } = await findOwnSnippet(request.em, request.user, snippetId, id)

      await deleteSnippet(request.em, snippet)

      return reply.code(204).send(null)
    }
  )

  app.get(
    `${path}/:snippet_id/user_agent_detail`,
    {
      config: { role: 'admin' },
      schema: { summary: 'Get the client that created a snippet', params, response: { 200: UserAgentDetail } }
    },
    async ({ em, user, params }) => {
      const { id, snippet_id: snippetId } = params as Params
      const { snippet } = await findSnippet(em, user, snippetId, id)

      return { user_agent: snippet.userAgent, ip_address: snippet.ipAddress, akismet_submitted: false as const }
    }
  )
}

export interface Params {
  /** The project. */
  id?: string
  snippet_id: number
}
