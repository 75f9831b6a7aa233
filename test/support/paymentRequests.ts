import { inspect } from 'node:util'
import type { PaymentRequest } from '../../src/partnerPayments/partner.ts'
import { PartnerError } from '../../src/partnerPayments/partnerError.ts'
import { newId } from '../../src/platform/ids.ts'

/** A bank of the partner's stand-in. */
export const bankId = '5f1af11b-305f-4420-8fce-65ed2725a409'

/** Of ten dollars, to an account whose bank takes it. */
export const paymentRequest = (more: Partial<PaymentRequest> = {}): PaymentRequest => ({
  sequenceId: newId(),
  localAmount: 16_000n,
  channel: { type: 'bank', country: 'NG', currency: 'NGN' },
  destination: {
    accountNumber: '1111111111',
    networkId: bankId,
    accountType: 'bank',
    accountName: 'Ken Adams',
  },
  sender: { kind: 'business', businessId: 'RC-1234', businessName: 'Shop' },
  customerId: newId(),
  reason: 'other',
  forceAccept: true,
  ...more,
})

/** The error that a request to a partner ends with. */
export async function partnerFailure(asked: Promise<unknown>): Promise<PartnerError> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof PartnerError)) throw new Error(`expected a PartnerError: ${inspect(error)}`)
  return error
}

/** The same, as its problem and the partner's code. */
export async function partnerProblem(
  asked: Promise<unknown>,
): Promise<[problem: string, code: string | null]> {
  const { problem, partnerCode } = await partnerFailure(asked)
  return [problem, partnerCode]
}
