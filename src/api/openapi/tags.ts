/** OpenAPI tags in display order. A route gets the first tag whose pattern matches its path. */
export const tags = [
  { name: 'Error tracking', description: 'Errors, events, releases and client keys.', pattern: /\/error_?tracking/ },
  { name: 'Alerts', description: 'Integrations, alerts and incidents.', pattern: /\/(alert|incident)|\/issues\b/ },
  { name: 'Notifications', description: 'E-mail notification settings.', pattern: /\/notification_settings/ },
  { name: 'Webhooks', description: 'Webhooks of projects and groups, and system hooks.', pattern: /\/(system_)?hooks\b/ },
  { name: 'Audit', description: 'Audit events.', pattern: /\/audit_events/ },
  { name: 'Events', description: 'Activity of users and projects.', pattern: /\/events$/ },
  { name: 'Storage', description: 'Repository storage moves.', pattern: /_storage/ },
  { name: 'Packages', description: 'Files and container images that projects publish.', pattern: /\/(packages|registry)\b/ },
  { name: 'CI', description: 'Runners, pipelines and job tokens.', pattern: /\/(runners|pipelines?|jobs?|ci|job_token_scope)\b/ },
  { name: 'OAuth', description: 'Tokens for applications: the endpoints of the OAuth 2.0 provider.', pattern: /^\/oauth\// },
  { name: 'Tokens', description: 'Access tokens.', pattern: /tokens?\b/ },
  { name: 'Applications', description: 'OAuth applications.', pattern: /\/applications/ },
  { name: 'Members', description: 'Members of projects and groups.', pattern: /\/(members|invitations|access_requests)\b/ },
  { name: 'Snippets', description: 'Files that users share.', pattern: /\/snippets/ },
  { name: 'Repositories', description: 'Branches, tags, commits and files of projects.', pattern: /\/repository\// },
  { name: 'Groups', description: 'Groups and namespaces.', pattern: /\/v4\/(groups|namespaces)\b/ },
  { name: 'Projects', description: 'Projects.', pattern: /\/v4\/projects\b/ },
  { name: 'Users', description: 'User accounts.', pattern: /\/v4\/(users?|keys)\b/ },
  { name: 'Service', description: 'Version and metadata of this installation.', pattern: /./ }
]
