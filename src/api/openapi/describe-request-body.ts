import type { FastifyContextConfig } from 'fastify'
import { describeBody } from './describe-body.ts'
import { describeInput } from './describe-input.ts'

interface Body {
  properties?: Record<string, { [keyword: string]: unknown }>
  required?: string[]
  [keyword: string]: unknown
}

type Files = NonNullable<FastifyContextConfig['files']>

/** The body of a route by media type. Forms that are not documented as JSON, too, have texts only. */
export function describeRequestBody(body: Body, { consumes, files }: { consumes?: readonly string[]; files?: Files }) {
  if (consumes) return describeInput(body)
  const accepted = describeBody(body) as Body
  const json = { schema: describeInput(accepted) }
  if (!files?.field) return json.schema
  const form = { schema: describeInput(addFile(accepted, files.field, files)) }

  return { content: { ...(!files.isRequired && { 'application/json': json }), 'multipart/form-data': form } }
}

function addFile(body: Body, field: string, { isRequired, description }: Files): Body {
  const file = { description, ...body.properties?.[field], type: 'string', format: 'binary', enum: undefined }

  return {
    ...body,
    properties: { ...body.properties, [field]: file },
    ...(isRequired && { required: [...(body.required ?? []), field] })
  }
}
