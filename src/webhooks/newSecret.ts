import type { FieldMistake } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import { generateWebhookSecret, parseOwnSecret, type Signature } from './secret.ts'

/** A signing secret: the caller's own, or a new one. */
export function newSecret(
  signature: Signature,
  own: string | undefined,
): { secret: Secret } | { wrong: FieldMistake[] } {
  if (own === undefined) return { secret: generateWebhookSecret(signature) }
  if (signature === 'ed25519')
    return {
      wrong: [
        {
          field: 'secret',
          message: 'is for hmac only: Cowry makes the key pair of ed25519',
          code: 'not_possible',
        },
      ],
    }
  const secret = parseOwnSecret(own)
  return secret
    ? { secret }
    : {
        wrong: [
          { field: 'secret', message: 'must be whsec_ and 24 to 64 bytes in base64', code: 'invalid_form' },
        ],
      }
}
