/** What a snippet is filled in with. */
export interface Target {
  dsn: string
  baseUrl: string
  /** URL that CSP reports are sent to. */
  securityUrl: string
  /** URL of the store endpoint, with the key. */
  storeUrl: string
  organization: string
  project: string
}

export interface Platform {
  name: string
  /** What to copy, in order. */
  blocks: (target: Target) => { name: string; text: string }[]
}

/** By the name in the address of the page. */
export const platforms: Record<string, Platform> = {
  node: {
    name: 'Node.js',
    blocks: ({ dsn }) => [
      { name: 'Install', text: 'npm install @sentry/node' },
      { name: 'instrument.mjs, loaded with node --import ./instrument.mjs', text: javascript('@sentry/node', dsn) }
    ]
  },
  browser: {
    name: 'Browser',
    blocks: target => [
      { name: 'Install', text: 'npm install @sentry/browser' },
      { name: 'Before all other code', text: javascript('@sentry/browser', target.dsn) },
      sourceMaps(target)
    ]
  },
  react: {
    name: 'React',
    blocks: target => [
      { name: 'Install', text: 'npm install @sentry/react' },
      { name: 'Before all other code', text: javascript('@sentry/react', target.dsn) },
      sourceMaps(target)
    ]
  },
  vue: {
    name: 'Vue',
    blocks: target => [
      { name: 'Install', text: 'npm install @sentry/vue' },
      {
        name: 'Before app.mount()',
        text: `import * as Sentry from '@sentry/vue'\n\nSentry.init({ app, dsn: '${target.dsn}', release: 'shop@1.0.0' })`
      },
      sourceMaps(target)
    ]
  },
  python: {
    name: 'Python',
    blocks: ({ dsn }) => [
      { name: 'Install', text: 'pip install sentry-sdk' },
      { name: 'At the start', text: `import sentry_sdk\n\nsentry_sdk.init(\n    dsn="${dsn}",\n    release="shop@1.0.0",\n)` }
    ]
  },
  go: {
    name: 'Go',
    blocks: ({ dsn }) => [
      { name: 'Install', text: 'go get github.com/getsentry/sentry-go' },
      {
        name: 'In main',
        text: `sentry.Init(sentry.ClientOptions{\n\tDsn:     "${dsn}",\n\tRelease: "shop@1.0.0",\n})\ndefer sentry.Flush(2 * time.Second)`
      }
    ]
  },
  java: {
    name: 'Java',
    blocks: ({ dsn }) => [
      { name: 'build.gradle', text: "implementation 'io.sentry:sentry:8.+'" },
      {
        name: 'At the start',
        text: `Sentry.init(options -> {\n  options.setDsn("${dsn}");\n  options.setRelease("shop@1.0.0");\n  options.addInAppInclude("com.example");\n});`
      }
    ]
  },
  ruby: {
    name: 'Ruby',
    blocks: ({ dsn }) => [
      { name: 'Gemfile', text: 'gem "sentry-ruby"' },
      { name: 'At the start', text: `Sentry.init do |config|\n  config.dsn = "${dsn}"\n  config.release = "shop@1.0.0"\nend` }
    ]
  },
  php: {
    name: 'PHP',
    blocks: ({ dsn }) => [
      { name: 'Install', text: 'composer require sentry/sentry' },
      { name: 'At the start', text: `\\Sentry\\init([\n  'dsn' => '${dsn}',\n  'release' => 'shop@1.0.0',\n]);` }
    ]
  },
  rust: {
    name: 'Rust',
    blocks: ({ dsn }) => [
      { name: 'Install', text: 'cargo add sentry' },
      {
        name: 'In main',
        text: `let _guard = sentry::init((\n    "${dsn}",\n    sentry::ClientOptions::new().release("shop@1.0.0").attach_stacktrace(true),\n));`
      }
    ]
  },
  csp: {
    name: 'CSP reports',
    blocks: ({ securityUrl }) => [
      { name: 'Header of your pages', text: `Content-Security-Policy: default-src 'self'; report-uri ${securityUrl}` }
    ]
  },
  curl: {
    name: 'curl',
    blocks: ({ storeUrl }) => [
      {
        name: 'Send an event',
        text: `curl -H 'Content-Type: application/json' -d '{"message":"Hello from curl","level":"error"}' '${storeUrl}'`
      }
    ]
  }
}

function javascript(module: string, dsn: string) {
  return `import * as Sentry from '${module}'\n\nSentry.init({ dsn: '${dsn}', release: 'shop@1.0.0' })`
}

function sourceMaps({ baseUrl, organization, project }: Target) {
  return {
    name: 'Upload source maps before each deploy, with a personal access token of the scope api',
    text: [
      `export SENTRY_URL=${baseUrl} SENTRY_ORG=${organization} SENTRY_PROJECT=${project} SENTRY_AUTH_TOKEN=glpat-…`,
      'npx @sentry/cli sourcemaps inject dist',
      'npx @sentry/cli sourcemaps upload --release shop@1.0.0 dist'
    ].join('\n')
  }
}
