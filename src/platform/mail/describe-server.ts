/** The mail server of an SMTP URL, without its password. */
export function describeMailServer(smtpUrl: string) {
  const { protocol, hostname, port, username, searchParams } = new URL(smtpUrl)
  const isEncrypted = protocol === 'smtps:'

  return {
    host: `${hostname}:${port || (isEncrypted ? 465 : 587)}`,
    encryption: isEncrypted ? 'TLS' : startTls(searchParams),
    user: decodeURIComponent(username)
  }
}

function startTls(options: URLSearchParams) {
  if (options.get('requireTLS') === 'true') return 'STARTTLS'

  return options.get('ignoreTLS') === 'true' ? 'none' : 'STARTTLS, if the server offers it'
}
