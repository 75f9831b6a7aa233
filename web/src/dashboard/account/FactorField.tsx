import { CowryError, type DashboardClient } from '../../../../client/index.ts'
import { Field } from '../../ui/Field.tsx'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { textOf } from '../formData.ts'
import { readCode } from '../session/code.ts'
import { requestPasskey } from '../session/passkey.ts'
import { useMe } from '../session/session.ts'

/** The second factor again, if the account has one. */
export function FactorField() {
  const { account } = useMe()
  if (!account.totp && account.passkeys === 0) return null
  const code = account.totp ? 'From your authenticator, or a recovery code.' : 'A recovery code.'
  return (
    <Field
      name="code"
      label="Code"
      hint={account.passkeys > 0 ? `${code} Leave it empty to use a passkey.` : code}
      autoComplete="one-time-code"
      required={account.passkeys === 0}
      maxLength={40}
    />
  )
}

type Given =
  | ReturnType<typeof readCode>
  | { passkey: Awaited<ReturnType<typeof requestPasskey>> }
  | Record<never, never>

/**
 * Sends a form with a `FactorField`: with the typed code, or with a passkey's answer if the field is empty.
 */
export async function withFactor<T>(
  api: DashboardClient,
  data: FormData,
  send: (given: Given) => Promise<T>,
): Promise<T> {
  if (!data.has('code')) return send({})
  const typed = textOf(data, 'code').trim()
  try {
    return await send(
      typed ? readCode(typed) : { passkey: await requestPasskey(await api.call('beginPasskeyConfirmation')) },
    )
  } catch (error) {
    // The API has three fields for this one.
    const names = error instanceof CowryError ? (error.fields ?? []).map(({ field }) => field) : []
    if (names.includes('passkey'))
      throw new FieldProblem({ code: 'The passkey was not accepted. Try again, or enter a code.' })
    if (names.includes('totp') || names.includes('recoveryCode'))
      throw new FieldProblem({ code: 'The code is wrong, or it was used before.' })
    throw error
  }
}
