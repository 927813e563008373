import Type, { type Static } from 'typebox'
import { BadParameter } from '../http/problems/problems.ts'
import { decrypt, encrypt } from '../platform/database/encryption.ts'
import type { Pipeline } from './pipelines/pipeline.ts'

const Value = Type.String({ maxLength: 10_000 })

/** GitLab's clients send a list; some send a mapping. */
export const NewVariables = Type.Optional(
  Type.Union(
    [
      Type.Array(
        Type.Object({ key: Type.String(), value: Type.Optional(Value), variable_type: Type.Optional(Type.Enum(['env_var', 'file'])) }),
        {
          maxItems: 500
        }
      ),
      Type.Record(Type.String(), Value)
    ],
    { description: 'Variables of the jobs, as `key` and `value`. They win over those of the configuration.' }
  )
)

export function readVariables(given: Static<typeof NewVariables> | undefined) {
  const pairs = Array.isArray(given) ? given.map(({ key, value = '' }) => [key, value] as const) : Object.entries(given ?? {})
  const invalid = pairs.find(([key]) => !/^\w{1,255}$/.test(key))

  if (invalid) throw new BadParameter("variables[key] can contain only letters, digits and '_'.")

  return Object.fromEntries(pairs)
}

type Keys = Parameters<typeof encrypt>[0]

/** They may be secret. */
export async function encryptVariables(keys: Keys, variables: Record<string, string>, projectId: number) {
  return Object.keys(variables).length > 0 ? encrypt(keys, JSON.stringify(variables), ownerOf(projectId)) : null
}

export async function decryptVariables(keys: Keys, { variables, projectId }: Pipeline): Promise<Record<string, string>> {
  const text = variables ? await decrypt(keys, variables, ownerOf(projectId)) : undefined

  return text === undefined ? {} : JSON.parse(text)
}

export async function presentVariables(keys: Keys, pipeline: Pipeline) {
  return Object.entries(await decryptVariables(keys, pipeline)).map(([key, value]) => ({
    key,
    value,
    variable_type: 'env_var',
    raw: false
  }))
}

function ownerOf(projectId: number) {
  return `pipelines of project ${projectId}`
}
