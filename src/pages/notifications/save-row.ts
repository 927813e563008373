import type Type from 'typebox'
import { type Reasons, ValidationFailed } from '#api/problems/problems.ts'
import { addRow, changeRow, getRow, type ProjectAdmin, type ProjectResource, type ProjectRow } from '#notifications/project-resource.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { checkBody } from '../layout/check-body.ts'
import { catchValidation, type PageContext, type Problems } from '../projects/page-context.ts'

/** Adds a row of the project, or changes the one with the id. Returns the row, or what is wrong with the form, by field. */
export async function saveRow<Row extends ProjectRow, Body extends Type.TObject>(
  context: PageContext,
  resource: ProjectResource<Row, Body>,
  body: Type.Static<Body>,
  id?: number
) {
  const problems = await findProblems(context, resource, body, id)

  return problems ? { result: undefined, problems } : catchValidation(() => putRow(context.em.fork(), context.admin, resource, body, id))
}

/** If the schema refuses the body: its reasons together with those of the resource, so that the form names everything at once. */
export async function findProblems<Row extends ProjectRow, Body extends Type.TObject>(
  { em, admin }: PageContext,
  resource: ProjectResource<Row, Body>,
  body: Type.Static<Body>,
  id?: number
): Promise<Problems | undefined> {
  const { problems } = await catchValidation(() => checkBody(resource.body, body))

  if (!problems) return undefined
  const current = id === undefined ? undefined : await getRow(em, resource, admin.project.id, id)
  const rest = await catchValidation(() =>
    resource.read(body, { ...admin, em: em.fork(), current, at: new Date() }).catch(rethrowWithSettings)
  )

  return { ...rest.problems, ...problems }
}

/** Adds or changes a row in the caller's transaction. Throws the reasons of each field, and of each setting as those of a field. */
export async function putRow<Row extends ProjectRow, Body extends Type.TObject>(
  em: EntityManager,
  admin: ProjectAdmin,
  resource: ProjectResource<Row, Body>,
  body: Type.Static<Body>,
  id?: number
): Promise<Row> {
  const at = new Date()

  return (
    id === undefined ? addRow(em, admin, resource, body, at) : changeRow(em, admin, resource, id, body as Partial<Type.Static<Body>>, at)
  ).catch(rethrowWithSettings)
}

/** The reasons of each setting become those of a field. */
export function rethrowWithSettings(error: unknown): never {
  const { settings, ...others } = (error instanceof ValidationFailed && (error.body as { message: Reasons }).message) || {}

  throw settings && !Array.isArray(settings) ? new ValidationFailed({ ...others, ...settings } as Reasons) : error
}
