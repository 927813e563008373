/** The scopes of access tokens and applications, in words. */
export const scopeTexts: Record<string, string> = {
  api: 'Full access to the API as you.',
  read_api: 'Read access to the API as you.',
  read_user: 'Read your profile and activity.',
  read_repository: 'Clone and fetch repositories over HTTPS.',
  write_repository: 'Clone, fetch and push repositories over HTTPS.',
  read_registry: 'Pull container images.',
  write_registry: 'Push container images.',
  read_virtual_registry: 'Pull container images through the dependency proxy.',
  write_virtual_registry: 'Pull, push and delete container images through the dependency proxy.',
  create_runner: 'Create CI runners.',
  manage_runner: 'Manage CI runners.',
  k8s_proxy: 'Call Kubernetes clusters through their agents.',
  read_observability: 'Read traces, metrics and logs.',
  write_observability: 'Send traces, metrics and logs.',
  ai_features: 'Use AI features.',
  self_rotate: 'Rotate its own token.',
  sudo: 'Act as other users. Admins only.',
  admin_mode: 'Change the settings of this instance. Admins only.',
  read_service_ping: 'Read usage statistics of this instance. Admins only.',
  openid: 'Sign you in, and learn your user ID.',
  profile: 'See your name, username, website, public e-mail address, groups, and your picture if you have one.',
  email: 'See your e-mail address.'
}

const tokenScopes = ['api', 'read_api', 'read_user', 'read_repository', 'write_repository', 'sudo']

/** The scopes that forms for access tokens offer. */
export function tokenScopeOptions({ isAdmin }: { isAdmin: boolean }) {
  return toOptions(tokenScopes.filter(scope => scope !== 'sudo' || isAdmin))
}

/** The scopes that forms for applications offer. */
export const applicationScopeOptions = toOptions([...tokenScopes, 'openid', 'profile', 'email'])

function toOptions(scopes: string[]) {
  return scopes.map((scope): [string, string] => [scope, scopeTexts[scope]!])
}
