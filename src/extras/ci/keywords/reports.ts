import { type Check, fields, oneOf, text, texts } from './checks.ts'

/** The kinds of reports that GitLab knows. */
export const reportTypes = [
  'accessibility',
  'annotations',
  'api_fuzzing',
  'browser_performance',
  'cluster_applications',
  'cluster_image_scanning',
  'cobertura',
  'codequality',
  'container_scanning',
  'coverage_fuzzing',
  'cyclonedx',
  'dast',
  'dependency_scanning',
  'dotenv',
  'jacoco',
  'junit',
  'license_scanning',
  'load_performance',
  'lsif',
  'metrics',
  'metrics_referee',
  'network_referee',
  'performance',
  'repository_xray',
  'requirements',
  'requirements_v2',
  'sast',
  'secret_detection',
  'terraform'
] as const

export const reports: Check = fields({
  ...Object.fromEntries(reportTypes.map(type => [type, texts])),
  coverage_report: fields({ coverage_format: oneOf('cobertura', 'jacoco'), path: text }, ['coverage_format', 'path'])
})
