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
      {
        name: 'In a terminal, in the folder of your app: installs the SDK and throws a first error',
        text: [
          'npm install @sentry/node',
          "cat > instrument.mjs <<'END'",
          initialise('@sentry/node', dsn),
          'END',
          `node --import ./instrument.mjs -e "throw new Error('First error')"`
        ].join('\n')
      },
      { name: 'From now on, start your app with it', text: 'node --import ./instrument.mjs app.js' }
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
        text: `import * as Sentry from '@sentry/vue'\n\nSentry.init({ app, dsn: '${target.dsn}' })\n\n${firstError('//')}\nSentry.captureException(new Error('First error'))`
      },
      sourceMaps(target)
    ]
  },
  python: {
    name: 'Python',
    blocks: ({ dsn }) => [
      {
        name: 'In a terminal: installs the SDK and raises a first error',
        text: ['pip install sentry-sdk', "python3 - <<'END'", python(dsn), "raise RuntimeError('First error')", 'END'].join('\n')
      },
      { name: 'At the start of your app', text: python(dsn) }
    ]
  },
  go: {
    name: 'Go',
    blocks: ({ dsn }) => [
      { name: 'Install', text: 'go get github.com/getsentry/sentry-go' },
      {
        name: 'In main',
        text: `sentry.Init(sentry.ClientOptions{Dsn: "${dsn}"})\ndefer sentry.Flush(2 * time.Second)\n\n${firstError('//')}\nsentry.CaptureException(errors.New("First error"))`
      }
    ]
  },
  java: {
    name: 'Java',
    blocks: ({ dsn }) => [
      { name: 'build.gradle', text: "implementation 'io.sentry:sentry:8.+'" },
      {
        name: 'At the start',
        text: `Sentry.init(options -> {\n  options.setDsn("${dsn}");\n  options.addInAppInclude("com.example");\n});\n\n${firstError('//')}\nSentry.captureException(new RuntimeException("First error"));`
      }
    ]
  },
  ruby: {
    name: 'Ruby',
    blocks: ({ dsn }) => [
      { name: 'Gemfile', text: 'gem "sentry-ruby"' },
      {
        name: 'At the start',
        text: `Sentry.init do |config|\n  config.dsn = "${dsn}"\nend\n\n${firstError('#')}\nSentry.capture_exception(RuntimeError.new("First error"))`
      }
    ]
  },
  php: {
    name: 'PHP',
    blocks: ({ dsn }) => [
      { name: 'Install', text: 'composer require sentry/sentry' },
      {
        name: 'At the start',
        text: `\\Sentry\\init(['dsn' => '${dsn}']);\n\n${firstError('//')}\n\\Sentry\\captureException(new RuntimeException('First error'));`
      }
    ]
  },
  rust: {
    name: 'Rust',
    blocks: ({ dsn }) => [
      { name: 'Install', text: 'cargo add sentry' },
      {
        name: 'In main',
        text: `let _guard = sentry::init((\n    "${dsn}",\n    sentry::ClientOptions::new().attach_stacktrace(true),\n));\n\n${firstError('//')}\nsentry::capture_message("First error", sentry::Level::Error);`
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
  return `${initialise(module, dsn)}\n\n${firstError('//')}\nSentry.captureException(new Error('First error'))`
}

function initialise(module: string, dsn: string) {
  return `import * as Sentry from '${module}'\n\nSentry.init({ dsn: '${dsn}' })`
}

function python(dsn: string) {
  return `import sentry_sdk\n\nsentry_sdk.init(dsn="${dsn}")`
}

function firstError(comment: string) {
  return `${comment} Sends a first error. Remove this once it has arrived.`
}

function sourceMaps({ baseUrl, organization, project }: Target) {
  return {
    name: 'Upload source maps before each deploy, with a personal access token of the scope api',
    text: [
      `export SENTRY_URL=${baseUrl} SENTRY_ORG=${organization} SENTRY_PROJECT=${project} SENTRY_AUTH_TOKEN=glpat-…`,
      'npx @sentry/cli sourcemaps inject dist',
      'npx @sentry/cli sourcemaps upload dist'
    ].join('\n')
  }
}
