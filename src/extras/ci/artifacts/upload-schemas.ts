import Type, { type Static } from 'typebox'
import { validatorOf } from '#api/parameters/validation.ts'
import { artifactFormats, artifactTypes } from '#extras/ci/artifacts/artifact-types.ts'
import { InvalidInput } from '#lib/refusals.ts'

export const UploadOptions = Type.Object({
  artifact_type: Type.Optional(Type.Enum([...artifactTypes], { description: '`archive` by default, or the kind of a report.' })),
  artifact_format: Type.Optional(Type.Enum([...artifactFormats], { description: '`zip` by default.' })),
  expire_in: Type.Optional(Type.String({ maxLength: 255 }))
})

const validate = validatorOf(UploadOptions)

/** Options may be in the address and in the form, which wins. */
export function readUploadOptions(query: Static<typeof UploadOptions>, fields: Record<string, unknown>) {
  const { artifact_type: type = 'archive', artifact_format: format = 'zip', expire_in: expireIn } = validate({ ...query, ...fields })

  if (type === 'archive' && format !== 'zip') throw new InvalidInput('artifact_format of an archive must be zip')
  if (type === 'dotenv' && format !== 'gzip') throw new InvalidInput('artifact_format of a dotenv report must be gzip')

  return { type, format, expireIn }
}
