/** The link of an invitation. The token is in the fragment, which browsers send to no server. */
export const invitationLink = (token: string): string => `${location.origin}/dashboard/invitation#${token}`

/** The token in a fragment; undefined if there is no token. */
export function invitationToken(hash: string): string | undefined {
  const token = hash.replace(/^#/, '')
  return /^[\w-]{20,100}$/.test(token) ? token : undefined
}
