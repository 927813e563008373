import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { offsetPage, paging } from '../../http/pagination/offset.ts'
import { NotFound } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { ById } from '../schemas.ts'
import { addDomain, changeDomain, type DomainChanges, deleteDomain, findDomain } from './change-domain.ts'
import { PagesDomain } from './pages-domain.ts'
import { pagesEditor } from './pages-routes.ts'
import {
  AllDomainsQuery,
  DomainBody,
  DomainParams,
  DomainShape,
  DomainSummary,
  NewDomainBody,
  presentDomain,
  presentSummary
} from './pages-schemas.ts'

const path = '/projects/:id/pages/domains'
const one = `${path}/:domain`
/** Certificate and key. */
const files = { max: 2, bytes: 100_000 }

/** The domains of a project's static site, and for admins those of all projects. */
export const pagesDomainRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform
  const guard = { onRequest: app.requireUser, config: { role: 'maintainer' } } as const
  const withFiles = { onRequest: app.requireUser, config: { role: 'maintainer', files } } as const

  app.get(
    '/pages/domains',
    {
      onRequest: app.requireAdmin,
      config: { role: 'admin', additionalStatuses: [404] },
      schema: {
        summary: 'List the Pages domains of all projects',
        querystring: AllDomainsQuery,
        response: { 200: Type.Array(DomainSummary) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const { domain } = request.query
      const domains = await domainPage(em, request, reply, domain === undefined ? {} : { domain: domain.toLowerCase() })

      if (domain !== undefined && domains.length === 0) throw new NotFound('PagesDomain')

      return domains.map(domain => presentSummary(domain, new Date()))
    }
  )

  app.get(
    path,
    {
      ...guard,
      schema: { summary: 'List Pages domains', params: ById, querystring: Type.Object(paging), response: { 200: Type.Array(DomainShape) } }
    },
    async (request, reply) => {
      const em = fork()
      const { project } = await pagesEditor(em, request)
      const domains = await domainPage(em, request, reply, { projectId: project.id })

      return domains.map(domain => presentDomain(domain, new Date()))
    }
  )

  app.get(
    one,
    { ...guard, schema: { summary: 'Get a Pages domain', params: DomainParams, response: { 200: DomainShape } } },
    async request => {
      const em = fork()
      const { project } = await pagesEditor(em, request)

      return presentDomain(await findDomain(em, project.id, request.params.domain), new Date())
    }
  )

  app.post(
    path,
    { ...withFiles, schema: { summary: 'Add a Pages domain', params: ById, body: NewDomainBody, response: { 201: DomainShape } } },
    async (request, reply) => {
      const em = fork()
      const editor = await pagesEditor(em, request)
      const domain = await addDomain(em, editor, config.baseUrl, request.body.domain, readChanges(request, request.body))

      return reply.code(201).send(presentDomain(domain, new Date()))
    }
  )

  app.put(
    one,
    { ...withFiles, schema: { summary: 'Update a Pages domain', params: DomainParams, body: DomainBody, response: { 200: DomainShape } } },
    async request => {
      const em = fork()
      const editor = await pagesEditor(em, request)

      return presentDomain(await changeDomain(em, editor, request.params.domain, readChanges(request, request.body)), new Date())
    }
  )

  app.delete(
    one,
    { ...guard, schema: { summary: 'Delete a Pages domain', params: DomainParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const em = fork()

      await deleteDomain(em, await pagesEditor(em, request), request.params.domain)

      return reply.code(204).send(null)
    }
  )

  function domainPage(em: EntityManager, request: FastifyRequest, reply: Parameters<typeof offsetPage>[1], where: object) {
    return offsetPage<PagesDomain>(request, reply, {
      list: (limit, offset) => em.find(PagesDomain, where, { orderBy: { domain: 'asc' }, limit, offset }),
      count: () => em.fork().count(PagesDomain, where)
    })
  }
}

function readChanges({ uploads = [] }: Pick<FastifyRequest, 'uploads'>, body: Static<typeof DomainBody>): DomainChanges {
  const read = (name: 'certificate' | 'key') => uploads.find(({ field }) => field === name)?.data.toString() ?? body[name]

  return { isAutoSsl: body.auto_ssl_enabled, certificate: read('certificate'), key: read('key') }
}
