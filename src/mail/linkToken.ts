import { createHash, randomBytes } from 'node:crypto'

/** The token of an invitation's link: `invite_` and 256 random bits; only a hash is stored. */
export const newLinkToken = () => `invite_${randomBytes(32).toString('base64url')}`

export const hashOfLinkToken = (token: string) =>
  createHash('sha256').update(`cowry/invitation/${token}`).digest()
