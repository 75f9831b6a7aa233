const secretNames = /KEY|SECRET|PASSWORD|TOKEN/
const publicNames = /PUBLIC_KEYS$|KMS_KEY_ARN|_PROVIDER$|TOKEN_MESSENGER$|_DAYS$/
/** Shorter ones could be in the text of the report. */
const minLength = 6

/**
 * Blanks every secret of the environment in a text: keys, passwords, and paths and queries of URLs, which
 * often hold a key.
 */
export function hideSecrets(env: NodeJS.ProcessEnv): (text: string) => string {
  const secrets = [...new Set(Object.entries(env).flatMap(([name, value = '']) => secretsIn(name, value)))]
    .filter((secret) => secret.length >= minLength)
    .sort((a, b) => b.length - a.length)
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text)
}

function secretsIn(name: string, value: string): string[] {
  if (secretNames.test(name) && !publicNames.test(name)) return [value]
  if (!/_URLS?$/.test(name)) return []
  return value.split(',').flatMap((each) => {
    const text = each.trim()
    if (!URL.canParse(text)) return [text]
    const { username, password, pathname, search } = new URL(text)
    const isNode = /(RPC|WS|HORIZON)_URLS$/.test(name)
    const ofPath = isNode ? pathname.split('/').filter((part) => part.length > 12) : []
    return [password, decoded(password), ...(password ? [] : [username]), search.slice(1), ...ofPath]
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
