/** The link of an invitation. The token is in the fragment, which browsers do not send to any server. */
export const invitationLink = (token: string): string => `${location.origin}/dashboard/invitation#${token}`

/** The token in a fragment; undefined where there is none. */
export function invitationToken(hash: string): string | undefined {
  const token = hash.replace(/^#/, '')
  return /^[\w-]{20,100}$/.test(token) ? token : undefined
}
