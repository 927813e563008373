import type Type from 'typebox'
import { addRow, changeRow, getRow, type ProjectAdmin, type ProjectResource, type ProjectRow } from '#notifications/project-resource.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { SentForm } from '../layout/form.ts'
import type { PageContext } from '../projects/page-context.ts'

/** Adds a row of the project, or changes the one with the id. */
export async function saveRow<Row extends ProjectRow, Body extends Type.TObject>(
  context: PageContext,
  resource: ProjectResource<Row, Body>,
  form: SentForm,
  body: Type.Static<Body>,
  id?: number
) {
  await addReasons(context, resource, form, body, id)

  return form.save(() => putRow(context.em.fork(), context.admin, resource, body, id))
}

/** Adds to a form that is refused already why the resource refuses it, too: it names everything at once. */
export async function addReasons<Row extends ProjectRow, Body extends Type.TObject>(
  { em, admin }: PageContext,
  resource: ProjectResource<Row, Body>,
  form: SentForm,
  body: Type.Static<Body>,
  id?: number
) {
  if (!form.hasProblems) return
  const current = id === undefined ? undefined : await getRow(em, resource, admin.project.id, id)

  await form.check(() => resource.read(body, { ...admin, em: em.fork(), current, at: new Date() }))
}

/** In the caller's transaction, if there is one. */
export function putRow<Row extends ProjectRow, Body extends Type.TObject>(
  em: EntityManager,
  admin: ProjectAdmin,
  resource: ProjectResource<Row, Body>,
  body: Type.Static<Body>,
  id?: number
): Promise<Row> {
  const at = new Date()

  return id === undefined
    ? addRow(em, admin, resource, body, at)
    : changeRow(em, admin, resource, id, body as Partial<Type.Static<Body>>, at)
}
