import Type, { type Static } from 'typebox'
import { InvalidInput } from '#lib/refusals.ts'
import { decrypt, encrypt } from '#platform/database/encryption.ts'
import { type VariableType, variableTypes } from '../variables/variable.ts'
import type { Pipeline } from './pipeline.ts'

/** A variable that a pipeline is given when it is created. */
export interface GivenVariable {
  key: string
  value: string
  variable_type: VariableType
}

const Value = Type.String({ maxLength: 10_000 })

/** GitLab's clients send a list; some send a mapping. */
export const NewVariables = Type.Optional(
  Type.Union(
    [
      Type.Array(
        Type.Object({ key: Type.String(), value: Type.Optional(Value), variable_type: Type.Optional(Type.Enum([...variableTypes])) }),
        {
          maxItems: 500
        }
      ),
      Type.Record(Type.String(), Value)
    ],
    { description: 'Variables for the jobs, as `key` and `value`. They override those of the configuration.' }
  )
)

/** If a key is given several times, the last value counts. */
export function readVariables(given: Static<typeof NewVariables> | undefined): GivenVariable[] {
  const list = Array.isArray(given) ? given : Object.entries(given ?? {}).map(([key, value]) => ({ key, value }))
  const variables = list.map(({ value = '', variable_type = 'env_var', key }: Partial<GivenVariable> & { key: string }) => ({
    ...{ key, value, variable_type }
  }))

  if (variables.some(({ key }) => !/^\w{1,255}$/.test(key)))
    throw new InvalidInput("variables[key] can contain only letters, digits and '_'.")

  return [...new Map(variables.map(variable => [variable.key, variable])).values()]
}

type Keys = Parameters<typeof encrypt>[0]

/** They may be secret. */
export async function encryptVariables(keys: Keys, variables: GivenVariable[], projectId: number) {
  return variables.length > 0 ? encrypt(keys, JSON.stringify(variables), ownerOf(projectId)) : null
}

export async function decryptVariables(
  keys: Keys,
  { variables, projectId }: Pick<Pipeline, 'variables' | 'projectId'>
): Promise<GivenVariable[]> {
  const text = variables ? await decrypt(keys, variables, ownerOf(projectId)) : undefined
  const stored: GivenVariable[] | Record<string, string> = text === undefined ? [] : JSON.parse(text)

  // Pipelines of former versions have a mapping.
  return Array.isArray(stored) ? stored : readVariables(stored)
}

export async function presentVariables(keys: Keys, pipeline: Pipeline) {
  return (await decryptVariables(keys, pipeline)).map(variable => ({ ...variable, raw: false }))
}

function ownerOf(projectId: number) {
  return `pipelines of project ${projectId}`
}
