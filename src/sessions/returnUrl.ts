import type { PricingBusiness } from '../businesses/business.ts'
import { isDevelopment, ownHost } from '../businesses/returnHosts.ts'
import { invalidBody } from '../platform/errors.ts'

/** A URL in printable ASCII, whose authority is text that no parser reads in two ways. */
const web = /^(https?):\/\/([A-Za-z0-9.-]+)(:\d{1,5})?(?=[/?#]|$)[\x21-\x7e]*$/

/**
 * The URL that a session's checkout page may link back to, as it is written in normal form. The host is
 * compared as it is written, before anything is decoded: what browsers would turn into a listed host (other
 * letters, percent signs, numbers, dots at the end) is not one.
 * @returns null for any other URL
 */
export function returnUrlOf(ctx: { issuer: string }, hosts: readonly string[], text: string): string | null {
  const [, scheme, host, port] = web.exec(text) ?? []
  if (scheme === undefined || host === undefined || text.includes('\\')) return null
  const name = host.toLowerCase()
  if (!hosts.includes(name)) return null
  if (name === ownHost) {
    if (!isDevelopment(ctx.issuer)) return null
  } else if (scheme !== 'https' || port !== undefined) return null
  const url = URL.parse(text)
  return url?.hostname === name && url.username === '' && url.password === '' ? url.href : null
}

/** @throws ApiError 400 naming `returnUrl` and what it may be */
export function requireReturnUrl(
  ctx: { issuer: string },
  { returnHosts }: Pick<PricingBusiness, 'returnHosts'>,
  text: string | undefined,
): string | null {
  if (text === undefined) return null
  const url = returnUrlOf(ctx, returnHosts, text)
  if (url !== null) return url
  const hosts = returnHosts.length > 0 ? returnHosts.join(', ') : 'none is set'
  throw invalidBody({
    field: 'returnUrl',
    message: `must be an https URL without a user name or a port, whose host is one of your return hosts (${hosts}; Payment settings in the dashboard)`,
    code: isPossible(ctx, text) ? 'unlisted_host' : 'invalid_url',
  })
}

/** True where only its host is wrong. */
function isPossible(ctx: { issuer: string }, text: string): boolean {
  const host = URL.parse(text)?.hostname
  return host !== undefined && returnUrlOf(ctx, [host], text) !== null
}
