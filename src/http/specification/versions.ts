import type { Section } from './statement.ts'

const noMergeRequests = 'there are no merge requests.'

export const versions = {
  title: 'Versions',
  statements: {
    'version in the path': 'Only `/api/v4`',
    geo_nodes: { says: 'Becomes `geo_sites`', notApplicable: 'there are no secondary sites.' },
    merged_by: { says: 'Becomes `merge_user`', notApplicable: noMergeRequests },
    merge_status: { says: 'Becomes `detailed_merge_status`', notApplicable: noMergeRequests },
    private_profile: { says: 'Null is the default until v5', deprecation: 'private-profile-null' },
    'changes of a merge request': { says: 'Become a list of diffs', notApplicable: noMergeRequests },
    'managed licenses': { says: 'Become approval policies', notApplicable: 'licenses are not managed.' },
    'approvers and approval_groups': { says: 'Are empty until v5', notApplicable: noMergeRequests },
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
    '18.0: CI database': { says: 'A database for CI', notApplicable: 'there is one database for everything.' },
    '18.0: registration of runners': { says: 'By authentication tokens', deprecation: 'runner-register-command' },
    GraphQL: { says: 'Removed fields and arguments', notApplicable: 'GraphQL is not offered.' }
  }
} as const satisfies Section
