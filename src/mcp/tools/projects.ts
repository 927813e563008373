import Type from 'typebox'
import { Role } from '../../projects/members/member.ts'
import type { ProjectRow } from '../../projects/present-project.ts'
import { visibleProjects } from '../../projects/visibility/visible-projects.ts'
import { compact, line } from '../markdown/markdown.ts'
import { defineTool, page, paging } from '../tool.ts'

export const listProjects = defineTool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists the projects whose errors, alerts and incidents you may read, newest first. The other tools need the id or the path.',
  input: Type.Object({
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name or the path.' })),
    ...paging
  }),
  async run({ em, viewer, baseUrl }, { search, ...paging }) {
    const minRole = viewer.isAdmin ? undefined : Role.reporter
    const { rows, next_cursor } = await page<ProjectRow, [number]>(paging, {
      shape: ['id'],
      positionOf: ({ id }) => [id],
      list: async (after, limit) => (await visibleProjects(em, viewer, { search, minRole, idBefore: after?.[0] })).list(limit, 0)
    })
    const projects = rows.map(({ id, full_path: path, name, description, is_archived }) =>
      compact({ id, path, name, description: description && line(description), is_archived, web_url: `${baseUrl}/${path}` })
    )
    const text = projects.map(({ id, path, description }) => `- ${path} (id ${id})${description ? `: ${description}` : ''}`).join('\n')

    return { text: text || 'No projects.', data: { projects, next_cursor } }
  }
})
