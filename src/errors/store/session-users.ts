import type { SessionAggregate, SessionUpdate } from '../parse/session.ts'
import type { SessionUser } from './session-user-store.ts'

/** The users of sessions that name theirs. */
export function usersOf(sessions: (SessionUpdate | SessionAggregate)[]): SessionUser[] {
  return sessions.flatMap(session => {
    const { projectId, release, environment, userHash } = session

    return userHash ? [{ projectId, release, environment, userHash, ...whenAndHow(session) }] : []
  })
}

function whenAndHow(session: SessionUpdate | SessionAggregate) {
  const isUpdate = 'sessionId' in session

  return {
    day: (isUpdate ? session.startedAt : session.hour).toISOString().slice(0, 10),
    isCrashed: isUpdate ? session.state === 'crashed' : session.crashed > 0
  }
}
