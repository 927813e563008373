/** The parts of the API, in the order in which they are shown; the first that fits a path is its own. */
export const parts = [
  { name: 'Error tracking', about: 'What broke in your programs, and the keys they report it with.', fits: /\/error_?tracking/ },
  { name: 'Alerts', about: 'Integrations, alerts and incidents.', fits: /\/(alert|incident)|\/issues\b/ },
  { name: 'Notifications', about: 'Which e-mails somebody gets.', fits: /\/notification_settings/ },
  { name: 'Audit', about: 'Who changed what.', fits: /\/audit_events/ },
  { name: 'Events', about: 'What people did.', fits: /\/events$/ },
  { name: 'Storage', about: 'Moving repositories between storages.', fits: /_storage/ },
  { name: 'CI', about: 'Runners, pipelines and their tokens.', fits: /\/(runners|pipelines?|jobs?|ci|job_token_scope)\b/ },
  { name: 'Tokens', about: 'Credentials for programs.', fits: /tokens?\b/ },
  { name: 'Applications', about: 'Programs that people sign in to with Tocsin.', fits: /\/applications/ },
  { name: 'Members', about: 'Who takes part in a project or a group, and as what.', fits: /\/(members|invitations|access_requests)\b/ },
  { name: 'Groups', about: 'Groups of projects, and name spaces.', fits: /\/v4\/(groups|namespaces)\b/ },
  { name: 'Projects', about: 'What everything else belongs to.', fits: /\/v4\/projects\b/ },
  { name: 'Users', about: 'People and their accounts.', fits: /\/v4\/users?\b/ },
  { name: 'Service', about: 'What this installation is, and what it speaks.', fits: /./ }
]
