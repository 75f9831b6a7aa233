import { invalidBody } from '../platform/errors.ts'
import { readHostNames } from '../platform/hostNames.ts'

/** A host name in ASCII; the last label is no number, so that it is no IPv4 address in any form. */
const form =
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** The last label in hexadecimal digits is a number for URLs. */
const isNumber = /\.0x[0-9a-f]*$/
/** On the machine of a developer. */
export const ownHost = 'localhost'

/** @param baseUrl the deployment's public URL: on a developer's machine, shops may be there too */
export const isDevelopment = (baseUrl: string): boolean => {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && [ownHost, '127.0.0.1'].includes(hostname)
}

/**
 * The hosts that a business's checkout pages may link back to, in lower case, each once.
 * @throws ApiError 400 naming each that is not a host name
 */
export function checkedHosts(ctx: { issuer: string }, hosts: readonly string[]): string[] {
  const { names, wrong } = readHostNames(
    hosts,
    { field: 'returnHosts', what: 'a host name' },
    (name) => (form.test(name) && !isNumber.test(name)) || (name === ownHost && isDevelopment(ctx.issuer)),
  )
  if (wrong.length > 0) throw invalidBody(...wrong)
  return names
}
