import { Choices } from '../../ui/Choices.tsx'
import { Field } from '../../ui/Field.tsx'
import { textOf, trimmed } from '../formData.ts'
import type { Signature } from './types.ts'

const signatures: { value: Signature; label: string; hint: string }[] = [
  {
    value: 'hmac',
    label: 'With a secret (HMAC)',
    hint: 'Your server checks with a secret that only it and Cowry know. Most libraries do this.',
  },
  {
    value: 'ed25519',
    label: 'With a key pair (Ed25519)',
    hint: 'Your server checks with a public key. It keeps no secret.',
  },
]

/** How webhooks are signed, with a secret that the server may already have. */
export const SigningFields = ({ chosen }: { chosen: Signature }) => (
  <>
    <Choices name="signature" legend="How webhooks are signed" choices={signatures} chosen={chosen} />
    <Field
      name="secret"
      label="Own secret"
      hint="Only for HMAC, if your server has a secret already: whsec_ and 24 to 64 bytes in base64. Empty: Cowry makes one."
      type="password"
      maxLength={100}
      autoComplete="off"
      spellCheck={false}
    />
  </>
)

export function readSigning(data: FormData): { signature: Signature; secret?: string } {
  const secret = trimmed(data, 'secret')
  return {
    signature: textOf(data, 'signature') === 'ed25519' ? 'ed25519' : 'hmac',
    ...(secret && { secret }),
  }
}
