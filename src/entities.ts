import { AuditEvent } from './audit/audit-event.ts'
import { ClientKey } from './error-tracking/client-key.ts'
import { Comment } from './error-tracking/comment.ts'
import { ErrorGroup } from './error-tracking/group.ts'
import { ErrorSetting } from './error-tracking/setting.ts'
import { AccessToken } from './identity/access-token.ts'
import { JobToken } from './identity/job-token.ts'
import { Session } from './identity/session.ts'
import { User } from './identity/user.ts'
import { Member } from './projects/member.ts'
import { Namespace } from './projects/namespace.ts'
import { Project } from './projects/project.ts'

/** What MikroORM maps. */
export const entities = [
  User,
  Session,
  AccessToken,
  JobToken,
  Namespace,
  Project,
  Member,
  ErrorSetting,
  ClientKey,
  ErrorGroup,
  Comment,
  AuditEvent
]
