import { createHash, randomBytes } from 'node:crypto'
import { Secret } from '../platform/secrets.ts'

/** The token of a refund's link: 256 random bits, of which only a hash is stored. */
export const newClaimToken = (): Secret => new Secret(`refund_${randomBytes(32).toString('base64url')}`)

export const hashOfClaimToken = (token: string): Buffer =>
  createHash('sha256').update(`cowry/refund-claim/${token}`).digest()

/** The link of a refund. The token is in the fragment, which browsers send to no server: no log has it. */
export const claimUrl = (issuer: string, token: Secret): string =>
  `${issuer.replace(/\/$/, '')}/refund#${token.reveal()}`
