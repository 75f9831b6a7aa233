import type { Call, CallsSpec } from '../action.ts'
import { ActionRefusedError } from '../sending.ts'

const unsupported = (message: string) => new ActionRefusedError('unsupported_action', message)

/** The one call that a transaction carries (TRON developer docs, "Transactions"). @throws ActionRefusedError */
export function soleCall({ calls, cosigners }: CallsSpec): Call {
  const [call] = calls
  if (!call || calls.length > 1)
    throw unsupported(`a transaction of Tron carries one call, not ${calls.length}`)
  if (cosigners.length > 0) throw unsupported('a transaction of Tron is signed by its sender alone')
  if (call.accounts.length > 0) throw unsupported('a call has no accounts on Tron')
  if (!/^([0-9a-f]{2})*$/.test(call.data))
    throw unsupported('the data of a call is not lower-case hex without 0x')
  // JSON is exact up to there: nine billion TRX.
  if (call.value < 0n || call.value > BigInt(Number.MAX_SAFE_INTEGER))
    throw unsupported('the value of a call is not one that a transaction can carry')
  return call
}
