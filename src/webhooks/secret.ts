import { randomBytes } from 'node:crypto'
import { open, seal } from '../custody/seal.ts'
import { Secret } from '../platform/secrets.ts'

/** A new signing secret in the form of Standard Webhooks: `whsec_` and 32 bytes in base64. */
export const generateWebhookSecret = (): Secret => new Secret(`whsec_${randomBytes(32).toString('base64')}`)

const applicationKey = (key: Secret) => new Secret<Uint8Array>(Buffer.from(key.reveal(), 'base64'))
const context = (endpointId: string) => `cowry/webhook-secret/v1/${endpointId}`

/** Sealed with the application's key and bound to its endpoint. */
export const sealWebhookSecret = (key: Secret, endpointId: string, secret: Secret): Buffer =>
  seal(applicationKey(key), Buffer.from(secret.reveal()), context(endpointId))

export const openWebhookSecret = (key: Secret, endpointId: string, sealed: Uint8Array): Secret =>
  new Secret(open(applicationKey(key), sealed, context(endpointId)).toString())
