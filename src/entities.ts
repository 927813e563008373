import type { InferKyselyDB } from '@mikro-orm/postgresql'
import { AlertSchema } from './alerts/alert.ts'
import { AlertNoteSchema } from './alerts/alert-note.ts'
import { AlertSettingSchema } from './alerts/alert-setting.ts'
import { MetricImageSchema } from './alerts/details/metric-image.ts'
import { IntegrationSchema } from './alerts/integrations/integration.ts'
import { AuditEventSchema } from './audit/audit-event.ts'
import { CommentSchema } from './errors/groups/error-comment.ts'
import { ErrorGroupSchema } from './errors/groups/error-group.ts'
import { SavedSearchSchema } from './errors/search/saved-search.ts'
import { ClientKeySchema } from './errors/settings/client-key.ts'
import { ErrorSettingSchema } from './errors/settings/error-setting.ts'
import { UserEmailSchema } from './identity/emails/user-email.ts'
import { PasskeySchema } from './identity/passkeys/passkey.ts'
import { IdentitySchema } from './identity/provider/identity.ts'
import { ProviderSignInSchema } from './identity/provider/provider-sign-in.ts'
import { KnownDeviceSchema } from './identity/sessions/known-device.ts'
import { SessionSchema } from './identity/sessions/session.ts'
import { AccessTokenSchema } from './identity/tokens/access-token.ts'
import { JobTokenSchema } from './identity/tokens/job-token.ts'
import { UserSchema } from './identity/users/user.ts'
import { InstanceSettingSchema } from './instance-settings/instance-setting.ts'
import { MailServerSchema } from './instance-settings/mail-server.ts'
import { IssueSchema } from './issues/issue.ts'
import { IssueEventSchema } from './issues/issue-event.ts'
import { IssueNoteSchema } from './issues/issue-note.ts'
import { MonitorSchema } from './monitors/monitor.ts'
import { NamespaceSchema } from './namespaces/namespace.ts'
import { NotificationChannelSchema } from './notifications/channels/notification-channel.ts'
import { DeliverySchema } from './notifications/deliveries/delivery.ts'
import { MuteSchema } from './notifications/mutes/mute.ts'
import { NotificationRuleSchema } from './notifications/rules/notification-rule.ts'
import { NotificationSettingSchema } from './notifications/settings/notification-setting.ts'
import { ApplicationSchema } from './oauth/applications/application.ts'
import { AuthorizationCodeSchema } from './oauth/authorize/authorization-code.ts'
import { ConsentSchema } from './oauth/authorize/consent.ts'
import { GrantSchema } from './oauth/grants/grant.ts'
import { SigningKeySchema } from './oauth/openid/signing-key.ts'
import { OAuthTokenSchema } from './oauth/tokens/oauth-token.ts'
import { AccessRequestSchema } from './projects/access-requests/access-request.ts'
import { InvitationSchema } from './projects/invitations/invitation.ts'
import { LabelSchema } from './projects/labels/label.ts'
import { GroupShareSchema } from './projects/members/group-share.ts'
import { MemberSchema } from './projects/members/member.ts'
import { MilestoneSchema } from './projects/milestones/milestone.ts'
import { ProjectSchema } from './projects/project.ts'
import { DeployTokenSchema } from './projects/tokens/deploy-token.ts'
import { RepositorySchema } from './repositories/repository.ts'
import { SnippetSchema } from './snippets/snippet.ts'
import { SpamLogSchema } from './spam/spam-log.ts'
import { BulkMoveSchema } from './storage-moves/bulk-move.ts'
import { StorageMoveSchema } from './storage-moves/storage-move.ts'
import { TaskSchema } from './tasks/task.ts'

export const entities = [
  UserSchema,
  SessionSchema,
  KnownDeviceSchema,
  PasskeySchema,
  InstanceSettingSchema,
  MailServerSchema,
  AccessRequestSchema,
  InvitationSchema,
  AccessTokenSchema,
  DeployTokenSchema,
  JobTokenSchema,
  UserEmailSchema,
  IdentitySchema,
  ProviderSignInSchema,
  ApplicationSchema,
  AuthorizationCodeSchema,
  ConsentSchema,
  GrantSchema,
  OAuthTokenSchema,
  SigningKeySchema,
  NamespaceSchema,
  ProjectSchema,
  MemberSchema,
  GroupShareSchema,
  LabelSchema,
  MilestoneSchema,
  RepositorySchema,
  SnippetSchema,
  StorageMoveSchema,
  BulkMoveSchema,
  ErrorSettingSchema,
  SavedSearchSchema,
  ClientKeySchema,
  ErrorGroupSchema,
  CommentSchema,
  IntegrationSchema,
  AlertSettingSchema,
  MonitorSchema,
  AlertSchema,
  AlertNoteSchema,
  MetricImageSchema,
  IssueSchema,
  IssueNoteSchema,
  IssueEventSchema,
  NotificationChannelSchema,
  NotificationRuleSchema,
  NotificationSettingSchema,
  MuteSchema,
  DeliverySchema,
  SpamLogSchema,
  TaskSchema,
  AuditEventSchema
]

declare module '#platform/database/database.ts' {
  interface Tables extends InferKyselyDB<(typeof entities)[number]> {}
}
