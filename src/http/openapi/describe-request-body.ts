import type { FastifyContextConfig } from 'fastify'
import { describeBody } from './describe-body.ts'
import { describeInput } from './describe-input.ts'

interface Body {
  properties?: Record<string, { [keyword: string]: unknown }>
  required?: string[]
  [keyword: string]: unknown
}

type Files = NonNullable<FastifyContextConfig['files']>

/** The body of a route by media type. All values of a form are texts: only JSON has other types to convert. */
export function describeRequestBody(body: Body, { consumes, files }: { consumes?: readonly string[]; files?: Files }) {
  if (consumes) return describeInput(body)
  const json = { schema: describeInput(describeBody(body)) }
  if (!files?.field) return json.schema
  const form = { schema: describeInput(addFile(body, files.field, files)) }

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
