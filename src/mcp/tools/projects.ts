import Type from 'typebox'
import { compact, line } from '#lib/markdown.ts'
import { Role } from '#projects/members/member.ts'
import type { ProjectRow } from '#projects/present-project.ts'
import { visibleProjects } from '#projects/visibility/visible-projects.ts'
import { page, paging, toList } from '../page.ts'
import { defineTool } from '../tool.ts'

export const listProjects = defineTool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists the projects whose errors, alerts and incidents you may read, newest first. The other tools need the id or the path.',
  input: {
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name or path.' })),
    ...paging
  },
  async run({ em, viewer, baseUrl }, { search, ...paging }) {
    const minRole = viewer.isAdmin ? undefined : Role.reporter
    const projects = await page(paging, await visibleProjects(em, viewer, { search, minRole }), rows =>
      rows.map(row => describe(row, baseUrl))
    )

    return toList('projects', projects, summarize, 'No projects.')
  }
})

function describe({ id, full_path: path, name, description, is_archived }: ProjectRow, baseUrl: string) {
  return compact({ id, path, name, description: description && line(description), is_archived, web_url: `${baseUrl}/${path}` })
}

function summarize({ id, path, description }: ReturnType<typeof describe>) {
  return `- ${path} (id ${id})${description ? `: ${description}` : ''}`
}
