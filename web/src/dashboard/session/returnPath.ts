const elsewhere = 'https://elsewhere.invalid'

/**
 * A path inside the dashboard to return to after signing in; the start page for anything that could lead to
 * another site.
 */
export function returnPath(given: string | null): string {
  if (!given?.startsWith('/') || given.startsWith('/sign-in')) return '/'
  const url = URL.parse(given, elsewhere)
  if (!url || url.origin !== elsewhere) return '/'
  return `${url.pathname}${url.search}`
}

/** The sign-in page with the path to return to. A fragment is left out: it may hold an invitation. */
export function signInPath(from: string, search: string): string {
  const path = search ? `${from}?${search}` : from
  return path === '/' ? '/sign-in' : `/sign-in?return=${encodeURIComponent(path)}`
}
