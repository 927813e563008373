import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { changeIntegration } from '#alerts/integrations/change-integration.ts'
import { findPreset } from '#alerts/presets/presets.ts'
import { redirect } from '#api/redirect.ts'
import { NotFound } from '#lib/refusals.ts'
import { flash } from '#pages/layout/flash.ts'
import { readForm } from '#pages/layout/form.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { Role } from '#projects/members/member.ts'
import { examplePayload } from '../examples.ts'
import { type IntegrationContext, intakeUrl, integrationContext } from '../integration-page.ts'
import { testResponse } from '../test-response.ts'
import { isKeyOf, readKeyCookie, setKeyCookie } from './key-cookie.ts'
import { recipesFor } from './recipes.ts'
import type { Recipe } from './sender-recipes.ts'
import { KeyForm, keyPlaceholder, showConnect, slugOf, type Tools } from './tool-page.ts'

const path = '/projects/:id/alert_integrations/:integration(^\\d{1,15}$)/connect'

interface ToolRequest {
  Params: { tool?: string }
}

/** How to configure each monitoring tool, with the URL and, for a while, the key filled in. */
export async function connectPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  // The address of a refused key is that of the page, which refreshes itself.
  for (const url of [path, `${path}/:tool`]) {
    app.get<ToolRequest>(url, guard, async (request, reply) => {
      const context = await connectContext(request)
      const tools = toolsOf(reply, context)

      return showConnect(reply, context, tools, chosenOf(tools, request.params.tool))
    })

    app.post<ToolRequest>(url, guard, async (request, reply) => {
      const context = await connectContext(request)
      const tools = toolsOf(reply, context)
      const chosen = chosenOf(tools, request.params.tool)
      const form = readForm(request, KeyForm)

      if (!isKeyOf(context.integration, form.body.key)) {
        form.problems.key = 'This is not the key of this integration. A maintainer can reset it.'

        return showConnect(reply.code(400), context, { ...tools, form }, chosen)
      }
      setKeyCookie(reply, form.body.key)

      return redirect(reply, `${context.integrationUrl}/connect${request.params.tool ? `/${slugOf(chosen!)}` : ''}`)
    })
  }

  app.post<{ Params: { tool: string } }>(`${path}/:tool/preset`, guard, async (request, reply) => {
    const context = await integrationContext(request)
    const recipe = findTool(toolsOf(reply, context).recipes, request.params.tool)

    await changeIntegration(request.em, context.admin, context.integration.id, { preset: recipe.preset ?? null })
    flash(reply, `The integration reads the payloads of ${recipe.title}.`)

    return redirect(reply, `${context.integrationUrl}/connect`)
  })

  app.post<{ Params: { tool: string } }>(`${path}/:tool/test_alert`, guard, async (request, reply) => {
    const context = await connectContext(request)
    const { integration, integrationUrl } = context
    const slug = slugOf(findTool(toolsOf(reply, context).recipes, request.params.tool))
    const { status } = await testResponse(request, integration, examplePayload(integration.kind, new Date()))

    flash(
      reply,
      status < 300 ? 'A test alert is on its way.' : `The test alert was refused with ${status}. The Test page shows the reason.`
    )

    return redirect(reply, `${integrationUrl}/connect/${slug}`)
  })
}

/** The sender of an integration has been chosen before, and its recipe is the first one. */
function chosenOf({ recipes, isSender }: Tools, slug: string | undefined) {
  if (slug === undefined) return isSender ? recipes[0] : undefined

  return findTool(recipes, slug)
}

async function connectContext(request: FastifyRequest): Promise<IntegrationContext> {
  const context = await integrationContext(request, Role.developer)

  if (context.integration.kind === 'on_call') throw new NotFound()

  return context
}

function toolsOf(reply: FastifyReply, context: IntegrationContext): Tools {
  const { kind, preset } = context.integration
  const key = readKeyCookie(reply, context.integration)
  const url = intakeUrl(context)

  return { url, key, isSender: findPreset(preset) !== undefined, recipes: recipesFor(kind, { url, key: key ?? keyPlaceholder }, preset) }
}

function findTool(recipes: Recipe[], slug: string) {
  const recipe = recipes.find(recipe => slugOf(recipe) === slug)

  if (!recipe) throw new NotFound('Tool')

  return recipe
}
