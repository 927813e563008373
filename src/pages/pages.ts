import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isStorable } from '#api/parameters/text.ts'
import { dashboardGuard } from '#dashboard/dashboard-guard.ts'
import { healthPage } from '#dashboard/health/health-page.ts'
import { processesPage } from '#dashboard/processes.ts'
import { queuesPage } from '#dashboard/queues-page.ts'
import { storagesPage } from '#dashboard/storages.ts'
import { NotFound } from '#lib/refusals.ts'
import { addressPage } from './admin/address.ts'
import { instanceApplicationsPage } from './admin/applications.ts'
import { auditPages } from './admin/audit/audit-pages.ts'
import { mailPage } from './admin/mail.ts'
import { instanceSettingsPage } from './admin/settings.ts'
import { spamLogsPage } from './admin/spam-logs.ts'
import { newUserPage } from './admin/users/new-user.ts'
import { userAdminPage } from './admin/users/user-admin.ts'
import { usersPage } from './admin/users/user-list.ts'
import { volumesPage } from './admin/volumes.ts'
import { firstStepsPage } from './home/first-steps.ts'
import { homePage } from './home/home.ts'
import { searchPage } from './home/search.ts'
import { keepAnnouncement } from './layout/announcement.ts'
import { forms } from './layout/forms.ts'
import { livePages } from './live/live.ts'
import { invitePages } from './members/invite-pages.ts'
import { memberPages } from './members/member-pages.ts'
import { newGroupPage } from './namespaces/new-group.ts'
import { settingsPages } from './namespaces/settings-pages.ts'
import { membershipSettingPages } from './notifications/membership-setting.ts'
import { notificationSettingsPage } from './notifications/settings.ts'
import { unsubscribePage } from './notifications/unsubscribe.ts'
import { authorizationPages } from './oauth/authorize.ts'
import { projectPages } from './projects/routes.ts'
import { accountPage } from './settings/account.ts'
import { userApplicationsPage } from './settings/applications.ts'
import { emailsPage } from './settings/emails.ts'
import { passkeysPages } from './settings/passkeys.ts'
import { passwordPage } from './settings/password.ts'
import { profilePage } from './settings/profile.ts'
import { sessionsPage } from './settings/sessions.ts'
import { tokensPage } from './settings/tokens.ts'
import { twoFactorPage } from './settings/two-factor.ts'
import { confirmEmailPage } from './sign-in/confirm-email.ts'
import { forgottenPasswordPage } from './sign-in/forgotten-password.ts'
import { impersonationPage } from './sign-in/impersonation.ts'
import { newPasswordPage } from './sign-in/new-password.ts'
import { providerPages } from './sign-in/provider-pages.ts'
import { resetPasswordPage } from './sign-in/reset-password.ts'
import { signInPages } from './sign-in/sign-in.ts'
import { signInCodePage } from './sign-in/sign-in-code.ts'
import { signUpPages } from './sign-up/sign-up-pages.ts'
import { taskActions } from './tasks/task-actions.ts'

/** Pages accept their own forms only. */
export async function pages(app: FastifyInstance) {
  app.addHook('onRequest', rejectUnstorableParams)
  keepAnnouncement(app)
  await app.register(forms)
  await app.register(livePages)
  await app.register(homePage)
  await app.register(taskActions)
  await app.register(firstStepsPage)
  await app.register(searchPage)
  await app.register(signInPages)
  await app.register(signInCodePage)
  await app.register(providerPages)
  await app.register(newPasswordPage)
  await app.register(signUpPages)
  await app.register(impersonationPage)
  await app.register(forgottenPasswordPage)
  await app.register(resetPasswordPage)
  await app.register(confirmEmailPage)
  await app.register(invitePages)
  await app.register(authorizationPages)
  await app.register(unsubscribePage)
  await app.register(profilePage)
  await app.register(emailsPage)
  await app.register(notificationSettingsPage)
  await app.register(membershipSettingPages)
  await app.register(passwordPage)
  await app.register(twoFactorPage)
  await app.register(passkeysPages)
  await app.register(sessionsPage)
  await app.register(tokensPage)
  await app.register(userApplicationsPage)
  await app.register(accountPage)
  await app.register(healthPage)
  await app.register(instanceApplicationsPage)
  await app.register(instanceSettingsPage)
  await app.register(addressPage)
  await app.register(usersPage)
  await app.register(newUserPage)
  await app.register(userAdminPage)
  await app.register(mailPage)
  await app.register(storagesPage)
  await app.register(queuesPage)
  await app.register(spamLogsPage)
  await app.register(auditPages)
  await app.register(volumesPage)
  await app.register(projectPages)
  for (const { pages } of app.platform.extras) if (pages) await app.register(pages)
  await app.register(newGroupPage)
  await app.register(memberPages)
  await app.register(settingsPages)
  await app.register(processesPage, { path: '/admin/processes', guard: dashboardGuard(app) })
}

/** Nothing has an address that Postgres cannot store. */
async function rejectUnstorableParams({ params }: FastifyRequest) {
  if (!Object.values(params as Record<string, string>).every(isStorable)) throw new NotFound()
}
