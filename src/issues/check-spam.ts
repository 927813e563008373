import type { FastifyRequest } from 'fastify'
import type { EntityManager } from '#platform/database/database.ts'
import { isMember } from '#projects/members/member-store.ts'
import type { Project } from '#projects/project.ts'
import { spamCheckOf, type Writing } from '#spam/spam-check.ts'
import type { Issue } from './issue.ts'

type CheckedProject = Pick<Project, 'id' | 'visibility'>

/** Issues of public projects, by users who are not members. */
export function checkNewIssue(
  request: FastifyRequest,
  project: CheckedProject,
  { title, description }: { title: string; description?: string | null }
) {
  return check(request, project, { kind: 'issue', title, text: description ?? '' })
}

/** Comments on issues of public projects, by users who are not members. */
export function checkNote(request: FastifyRequest, project: CheckedProject, { title }: Issue, text: string, isChange = false) {
  return check(request, project, { kind: 'note', title, text, isChange })
}

async function check(request: FastifyRequest, { id, visibility }: CheckedProject, writing: Writing) {
  const spam = visibility === 'public' ? spamCheckOf(request) : undefined

  await spam?.check({ ...writing, isTrusted: (em: EntityManager, userId) => isMember(em, id, userId) })

  return spam
}
