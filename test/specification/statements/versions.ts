import type { Section } from './statement.ts'

export const versions = {
  title: 'Versions',
  statements: {
    'version in the path': 'Only `/api/v4`',
    geo_nodes: { notApplicable: 'geo-nodes' },
    merged_by: { notApplicable: 'merged-by' },
    merge_status: { notApplicable: 'merge-status' },
    private_profile: { says: 'Null is the default until v5', deprecation: 'private-profile-null' },
    'changes of a merge request': { notApplicable: 'merge-request-changes' },
    'managed licenses': { notApplicable: 'managed-licenses' },
    'approvers and approval_groups': { notApplicable: 'approval-approvers' },
    'runner: active': { says: 'Becomes `paused`', deprecation: 'runner-active' },
    'runner: status': { says: 'Loses `active` and `paused`', deprecation: 'runner-status' },
    'runner: ip_address': { says: 'Is empty, and ends with v5', deprecation: 'runner-ip-address' }
  }
} as const satisfies Section

export const schedule = {
  title: 'Removal schedule',
  statements: {
    '17.0: POST /runners': { says: 'Registration tokens with arguments answer 410', deprecation: 'runner-registration' },
    '17.0: ref and sha': { says: 'Not together when linting', deprecation: 'lint-ref-and-sha' },
    '17.0: version of feature flags': { says: 'Removed', deprecation: 'feature-flag-version' },
    '17.0: users by number': { says: 'Removed; by keyset only', deprecation: 'users-offset' },
    '17.0: repository_download_operation': { says: 'Not of public projects', deprecation: 'public-download-audit' },
    '18.0: reset_registration_token': { says: 'Answers 410 at three addresses', deprecation: 'reset-registration-token' },
    '18.0: registry tags by number': { says: 'Removed; by keyset only', deprecation: 'registry-tags-offset' },
    '18.0: scope of job tokens': { says: 'The inbound allowlist is always on', deprecation: 'job-token-outbound-limit' },
    '18.0: CI database': { notApplicable: 'ci-database' },
    '18.0: registration of runners': { says: 'By authentication tokens', deprecation: 'runner-register-command' }
  }
} as const satisfies Section

export const graphql = {
  title: 'Deprecations of GraphQL',
  statements: {
    'Project.services': { notApplicable: 'graphql-project-services' },
    'ciJobTokenScopeRemoveProject: direction': { notApplicable: 'graphql-job-token-direction' },
    'storage increase': { notApplicable: 'graphql-storage-increase' },
    'CiRunner: fields': { notApplicable: 'graphql-runner-fields' },
    CiRunnerUpgradeStatusType: { notApplicable: 'graphql-upgrade-status' },
    'CiRunner.projects': { notApplicable: 'graphql-runner-projects' }
  }
} as const satisfies Section
