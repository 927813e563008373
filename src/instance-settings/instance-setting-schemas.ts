import Type from 'typebox'
import { Time } from '#api/parameters/time.ts'
import { Nullable } from '#lib/nullable.ts'
import { type InstanceDefaults, signUpModes } from './instance-setting.ts'

const Visibility = Type.Enum(['private', 'internal', 'public'])

export const SettingsShape = Type.Object({
  default_projects_limit: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description: 'Of the personal namespaces of new users.' }),
  can_create_group: Type.Boolean({ description: 'Whether new users can create top-level groups.' }),
  default_project_visibility: Visibility,
  default_group_visibility: Visibility,
  default_branch_name: Type.String({
    maxLength: 255,
    description: 'Default branch of new projects in groups without one; empty for `main`.'
  }),
  deletion_adjourned_period: Type.Integer({
    minimum: 0,
    maximum: 90,
    description: 'Days for which deleted projects and groups can be restored; 0 deletes them immediately.'
  }),
  sign_up: Type.Enum([...signUpModes], {
    description:
      'Who can create an account: nobody, people who are invited to a project or group, also people with an address of `domain_allowlist`, or anyone, whom an admin approves.'
  }),
  domain_allowlist: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 100,
    description: 'Domains whose addresses can sign up; empty for all, which `domains` does not allow.'
  }),
  announcement: Type.String({ maxLength: 500, description: 'A message on every page, such as of a maintenance; empty for none.' }),
  announcement_ends_at: Nullable(Time('When the announcement disappears; null for never.'))
})
export const SettingsBody = Type.Partial(SettingsShape)

export function presentSettings(settings: InstanceDefaults) {
  return {
    default_projects_limit: settings.defaultProjectsLimit,
    can_create_group: settings.canCreateGroup,
    default_project_visibility: settings.defaultProjectVisibility,
    default_group_visibility: settings.defaultGroupVisibility,
    default_branch_name: settings.defaultBranchName,
    deletion_adjourned_period: settings.deletionAdjournedPeriod,
    sign_up: settings.signUp,
    domain_allowlist: settings.domainAllowlist,
    announcement: settings.announcement,
    announcement_ends_at: settings.announcementEndsAt?.toISOString() ?? null
  }
}
