import type { FastifyInstance } from 'fastify'

export async function homePage(app: FastifyInstance) {
  app.get('/', { onRequest: app.allowAnyone }, async (request, reply) => {
    const user = request.caller?.user

    return reply.redirect(user ? (user.isAdmin ? '/admin/queues' : '/projects') : '/users/sign_in')
  })
}
