import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { textOf } from '../formData.ts'
import { readCode } from './code.ts'

interface Props {
  send: (code: ReturnType<typeof readCode>) => Promise<void>
  onBack: () => void
}

/** The second step of signing in. */
export function CodeForm({ send, onBack }: Props) {
  return (
    <>
      <Form submit="Continue" focusFirst send={(data) => send(readCode(textOf(data, 'code')))}>
        <Field
          name="code"
          label="Code"
          hint="The six digits that your authenticator shows now. A recovery code works too, once."
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
