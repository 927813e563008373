/** A client of one language: how it is installed, what runs it, and how its users expect to find what it sent. */
export interface Sdk {
  language: string
  name: string
  /** The program that must be on the PATH. */
  programs: string[]
  /** Lines for a shell, in a copy of the language's folder. */
  install: string
  /** Prints the version that was installed. */
  version: string
  run: string
  /** The names of the exception and of its cause, where the client knows causes. */
  exception: string
  cause?: string
  /** Of the frame where it happened. */
  function: string
  file: string
  platform: string
  /** How the session counts, where the client has any. */
  session?: 'errored' | 'exited'
}

export const sdks: Sdk[] = [
  { ...node('@sentry/node'), name: '@sentry/node' },
  { ...node('@sentry/node', '@8'), name: '@sentry/node 8' },
  { ...node('@sentry/node', '@7'), name: '@sentry/node 7' },
  { ...node('raven'), name: 'raven (store)', run: 'node raven.cjs', file: 'raven.cjs', cause: undefined, session: undefined },
  { ...python('sentry-sdk', 'brotli'), name: 'sentry-sdk', run: 'env/bin/python shop.py', file: 'shop.py', session: 'errored' },
  { ...python('raven'), name: 'raven (store)', run: 'env/bin/python raven_shop.py', file: 'raven_shop.py' },
  { ...go('latest'), name: 'sentry-go' },
  { ...go('v0.11.0'), name: 'sentry-go 0.11 (store)' },
  {
    language: 'java',
    name: 'io.sentry:sentry',
    programs: ['javac', 'mvn'],
    install: "mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib && javac -cp 'lib/*' -d classes Shop.java",
    version: 'ls lib | sed -n "s/^sentry-\\([0-9].*\\)\\.jar/\\1/p"',
    run: "java -cp 'classes:lib/*' com.example.shop.Shop",
    exception: 'IllegalStateException',
    cause: 'IllegalArgumentException',
    function: 'pay',
    file: 'Shop.java',
    platform: 'java',
    session: 'errored'
  },
  {
    language: 'rust',
    name: 'sentry',
    programs: ['cargo'],
    install: 'mkdir src && mv main.rs src && cargo init -q --vcs none --name shop && cargo add -q sentry && cargo build -q',
    version: 'cargo tree -q --depth 1 --prefix none | sed -n "s/^sentry v//p"',
    run: 'target/debug/shop',
    exception: 'Unpaid',
    cause: 'Declined',
    function: 'shop::pay',
    file: 'main.rs',
    platform: 'native',
    session: 'errored'
  },
  {
    language: 'ruby',
    name: 'sentry-ruby',
    programs: ['ruby', 'gem'],
    // Where the registry is out of reach, the system's own package of it serves as well.
    install: 'gem install -q --no-document --install-dir gems sentry-ruby || gem list -q --installed sentry-ruby',
    version: 'GEM_PATH="gems:$(gem env gempath)" ruby -e \'require "sentry-ruby"; puts Sentry::VERSION\'',
    run: 'GEM_PATH="gems:$(gem env gempath)" ruby "$PWD/app/shop.rb"',
    exception: 'Unpaid',
    cause: 'ArgumentError',
    function: 'pay',
    file: 'shop.rb',
    platform: 'ruby',
    session: 'errored'
  },
  {
    language: 'php',
    name: 'sentry/sentry',
    programs: ['php', 'composer'],
    install: 'composer require -q --no-interaction sentry/sentry',
    version: "composer show sentry/sentry | sed -n 's/^versions *: *. *//p'",
    run: 'php shop.php',
    exception: 'RuntimeException',
    cause: 'InvalidArgumentException',
    function: 'Shop\\pay',
    file: 'shop.php',
    platform: 'php'
  }
]

function node(name: string, version = ''): Omit<Sdk, 'name'> {
  return {
    language: 'node',
    programs: ['npm'],
    install: `npm install --no-audit --no-fund --loglevel=error ${name}${version}`,
    version: `node -p "JSON.parse(fs.readFileSync('node_modules/${name}/package.json')).version"`,
    run: 'node shop.mjs',
    exception: 'Error',
    cause: 'TypeError',
    function: 'pay',
    file: 'shop.mjs',
    platform: 'node',
    session: 'errored'
  }
}

function python(name: string, ...others: string[]) {
  return {
    language: 'python',
    programs: ['python3'],
    install: `python3 -m venv env && env/bin/pip install -q ${[name, ...others].join(' ')}`,
    version: `env/bin/pip show ${name} | sed -n 's/^Version: //p'`,
    exception: 'ValueError',
    cause: 'KeyError',
    function: 'pay',
    platform: 'python'
  }
}

function go(version: string) {
  return {
    language: 'go',
    programs: ['go'],
    install: `go mod init shop && go get github.com/getsentry/sentry-go@${version} && go build -o shop .`,
    version: 'go list -m -f "{{.Version}}" github.com/getsentry/sentry-go',
    run: './shop',
    exception: '*fmt.wrapError',
    cause: '*errors.errorString',
    function: 'pay',
    file: 'main.go',
    platform: 'go'
  }
}
