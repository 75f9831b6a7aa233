import { Field } from '../../ui/Field.tsx'

/** The six digits of an authenticator. */
export function CodeField() {
  return (
    <Field
      name="totp"
      label="Code"
      hint="The six digits that your authenticator shows now."
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]{3} ?[0-9]{3}"
      title="Write the six digits."
      required
      maxLength={7}
    />
  )
}

export const digitsOf = (typed: string): string => typed.replace(/\s/g, '')
