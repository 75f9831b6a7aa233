import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { textOf } from '../formData.ts'
import { readCode } from './code.ts'
import { PasskeyButton } from './PasskeyButton.tsx'

interface Props {
  /** Whether the account has an authenticator. */
  hasCodes: boolean
  send: (code: ReturnType<typeof readCode>) => Promise<void>
  /** Undefined if no passkey can be used. */
  onPasskey?: (() => Promise<void>) | undefined
  onBack: () => void
}

/** The second step of signing in. */
export function CodeForm({ hasCodes, send, onPasskey, onBack }: Props) {
  return (
    <>
      {onPasskey && <PasskeyButton use={onPasskey} />}
      <Form submit="Continue" focusFirst={!onPasskey} send={(data) => send(readCode(textOf(data, 'code')))}>
        <Field
          name="code"
          label={hasCodes ? 'Code' : 'Recovery code'}
          hint={
            hasCodes
              ? 'The six digits that your authenticator shows now. A recovery code works too, once.'
              : 'One of the codes that you stored, if your passkey is not at hand. Each works once.'
          }
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={40}
        />
      </Form>
      <button type="button" className="link" onClick={onBack}>
        Use another account
      </button>
    </>
  )
}
