import { NotFound } from '#lib/refusals.ts'

/** A resource was requested by a former path. The REST API redirects; elsewhere it is not found. */
export class FormerPath extends NotFound {
  override code = 'former_path'
  from: string
  to: number

  constructor(resource: string, { from, to }: { from: string; to: number }) {
    super(resource)
    this.from = from
    this.to = to
  }
}
