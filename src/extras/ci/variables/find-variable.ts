import { NotFound, Problem } from '#api/problems/problems.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { columnsOf, type PlaceOwner } from '#projects/place.ts'
import { CiVariable } from './variable.ts'

/** The variable of a place with this key. Of several, the environment scope tells which. */
export async function findVariable(em: EntityManager, owner: PlaceOwner, key: string, environmentScope: string | undefined) {
  const where = { ...columnsOf(owner), key, ...(environmentScope !== undefined && { environmentScope }) }
  const [variable, another] = await em.find(CiVariable, where, { limit: 2 })

  if (!variable) throw new NotFound('Variable')
  if (another) throw new Ambiguous()

  return variable
}

class Ambiguous extends Problem {
  constructor() {
    super(409, { message: "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'" })
  }
}
