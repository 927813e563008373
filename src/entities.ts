import { Alert } from './alerts/alert.ts'
import { AlertNote } from './alerts/alert-note.ts'
import { AlertSetting } from './alerts/alert-setting.ts'
import { MetricImage } from './alerts/details/metric-image.ts'
import { Integration } from './alerts/integrations/integration.ts'
import { AuditEvent } from './audit/audit-event.ts'
import { Comment } from './errors/comments/comment.ts'
import { ErrorGroup } from './errors/groups/error-group.ts'
import { SavedSearch } from './errors/search/saved-search.ts'
import { ClientKey } from './errors/settings/client-key.ts'
import { ErrorSetting } from './errors/settings/error-setting.ts'
import { UserEmail } from './identity/emails/user-email.ts'
import { KnownDevice } from './identity/sessions/known-device.ts'
import { Session } from './identity/sessions/session.ts'
import { AccessToken } from './identity/tokens/access-token.ts'
import { JobToken } from './identity/tokens/job-token.ts'
import { User } from './identity/users/user.ts'
import { InstanceSetting } from './instance-settings/instance-setting.ts'
import { Issue } from './issues/issue.ts'
import { IssueEvent } from './issues/issue-event.ts'
import { IssueNote } from './issues/issue-note.ts'
import { Namespace } from './namespaces/namespace.ts'
import { NotificationChannel } from './notifications/channels/notification-channel.ts'
import { Delivery } from './notifications/deliveries/delivery.ts'
import { Mute } from './notifications/mutes/mute.ts'
import { NotificationRule } from './notifications/rules/notification-rule.ts'
import { NotificationSetting } from './notifications/settings/notification-setting.ts'
import { Application } from './oauth/applications/application.ts'
import { AuthorizationCode } from './oauth/authorize/authorization-code.ts'
import { Consent } from './oauth/authorize/consent.ts'
import { Grant } from './oauth/grants/grant.ts'
import { SigningKey } from './oauth/openid/signing-key.ts'
import { OAuthToken } from './oauth/tokens/oauth-token.ts'
import { AccessRequest } from './projects/access-requests/access-request.ts'
import { Invitation } from './projects/invitations/invitation.ts'
import { Label } from './projects/labels/label.ts'
import { GroupShare } from './projects/members/group-share.ts'
import { Member } from './projects/members/member.ts'
import { Milestone } from './projects/milestones/milestone.ts'
import { Project } from './projects/project.ts'
import { DeployToken } from './projects/tokens/deploy-token.ts'
import { Repository } from './repositories/repository.ts'
import { Snippet } from './snippets/snippet.ts'
import { SpamLog } from './spam/spam-log.ts'
import { BulkMove } from './storage-moves/bulk-move.ts'
import { StorageMove } from './storage-moves/storage-move.ts'

export const entities = [
  User,
  Session,
  KnownDevice,
  InstanceSetting,
  AccessRequest,
  Invitation,
  AccessToken,
  DeployToken,
  JobToken,
  UserEmail,
  Application,
  AuthorizationCode,
  Consent,
  Grant,
  OAuthToken,
  SigningKey,
  Namespace,
  Project,
  Member,
  GroupShare,
  Label,
  Milestone,
  Repository,
  Snippet,
  StorageMove,
  BulkMove,
  ErrorSetting,
  SavedSearch,
  ClientKey,
  ErrorGroup,
  Comment,
  Integration,
  AlertSetting,
  Alert,
  AlertNote,
  MetricImage,
  Issue,
  IssueNote,
  IssueEvent,
  NotificationChannel,
  NotificationRule,
  NotificationSetting,
  Mute,
  Delivery,
  SpamLog,
  AuditEvent
]
