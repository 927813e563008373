import { Alert } from './alerts/alert.ts'
import { AlertAssignee } from './alerts/assignee.ts'
import { Integration } from './alerts/integration.ts'
import { MetricImage } from './alerts/metric-image.ts'
import { AlertNote } from './alerts/note.ts'
import { AlertSetting } from './alerts/setting.ts'
import { AuditEvent } from './audit/audit-event.ts'
import { ClientKey } from './error-tracking/client-key.ts'
import { Comment } from './error-tracking/comment.ts'
import { ErrorGroup } from './error-tracking/group.ts'
import { ErrorSetting } from './error-tracking/setting.ts'
import { AccessToken } from './identity/access-token.ts'
import { JobToken } from './identity/job-token.ts'
import { Session } from './identity/session.ts'
import { User } from './identity/user.ts'
import { Issue } from './issues/issue.ts'
import { IssueNote } from './issues/note.ts'
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
  Integration,
  AlertSetting,
  Alert,
  AlertAssignee,
  AlertNote,
  MetricImage,
  Issue,
  IssueNote,
  AuditEvent
]
