import Type from 'typebox'
import type { Pipeline } from '#extras/ci/pipelines/pipeline.ts'
import { PipelineShape, presentPipeline } from '#extras/ci/pipelines/present-pipeline.ts'
import type { User } from '#identity/users/user.ts'
import { Nullable } from '#lib/nullable.ts'
import { presentPerson } from '#projects/present-project.ts'
import type { Project } from '#projects/project.ts'
import { Person } from '#projects/schemas.ts'
import type { Package, PackageFile } from './package.ts'

export const PackagePipeline = Type.Object({ ...PipelineShape.properties, user: Nullable(Person) })

export const PackageShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  version: Type.String(),
  package_type: Type.String(),
  status: Type.String(),
  _links: Type.Object({ web_path: Type.String(), delete_api_path: Type.Optional(Type.String()) }),
  created_at: Type.String(),
  last_downloaded_at: Nullable(Type.String()),
  pipeline: Type.Optional(PackagePipeline),
  pipelines: Type.Optional(Type.Array(PackagePipeline)),
  project_id: Type.Optional(Type.Integer()),
  project_path: Type.Optional(Type.String())
})

export const PackageFileShape = Type.Object({
  id: Type.Integer(),
  package_id: Type.Integer(),
  created_at: Type.String(),
  file_name: Type.String(),
  size: Type.Integer(),
  file_sha256: Type.String()
})

export interface PackageView {
  baseUrl: string
  project: Project
  /** The latest that published a file of it. */
  pipeline?: Pipeline | undefined
  canDelete: boolean
}

export function presentPackage(found: Package, { baseUrl, project, pipeline, canDelete }: PackageView) {
  const shown = pipeline && presentPackagePipeline(pipeline, { baseUrl, project })

  return {
    id: found.id,
    name: found.name,
    version: found.version,
    package_type: found.type,
    status: found.status,
    _links: {
      web_path: packagePath(found, { baseUrl, project }),
      ...(canDelete && { delete_api_path: `${baseUrl}/api/v4/projects/${project.id}/packages/${found.id}` })
    },
    created_at: found.createdAt.toISOString(),
    last_downloaded_at: found.lastDownloadedAt?.toISOString() ?? null,
    ...(shown && { pipeline: shown, pipelines: [shown] })
  }
}

export function presentPackagePipeline(pipeline: Pipeline, { baseUrl, project }: { baseUrl: string; project: Project }) {
  const { user } = pipeline

  return { ...presentPipeline(pipeline, { baseUrl, project }), user: user ? presentPerson(user as User, baseUrl) : null }
}

export function presentFile({ id, packageId, createdAt, name, size, sha256 }: PackageFile) {
  return {
    id,
    package_id: packageId,
    created_at: createdAt.toISOString(),
    file_name: name,
    size,
    file_sha256: Buffer.from(sha256).toString('hex')
  }
}

/** The path of its page. */
function packagePath({ id }: Package, { baseUrl, project }: { baseUrl: string; project: Project }) {
  return `${new URL(baseUrl).pathname.replace(/\/$/, '')}/${project.fullPath}/-/packages/${id}`
}
