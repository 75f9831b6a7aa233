import { z } from 'zod'
import { AttestationsError, type BurnFee } from '../../bridge/attestations.ts'
import { finality } from '../../chains/bridging.ts'
import { amount, JsonNumber } from '../exactJson.ts'
import { type CircleService, readForm, request } from './request.ts'

/** Base units. */
const units = z.union([z.instanceof(JsonNumber).transform(({ literal }) => literal), z.string()]).pipe(
  z
    .string()
    .regex(/^\d{1,20}$/)
    .transform(BigInt),
)
const threshold = z
  .instanceof(JsonNumber)
  .transform(({ literal }) => Number(literal))
  .refine(Number.isInteger)

const form = z
  .array(
    z.object({
      finalityThreshold: threshold,
      minimumFee: amount.refine((text) => Number(text) < 10_000),
      // The reference has `medium`, the guides `med`.
      forwardFee: z.object({ med: units.optional(), medium: units.optional() }).nullish(),
    }),
  )
  .refine((fees) => fees.some(({ finalityThreshold }) => finalityThreshold === finality.standard))

/**
 * What a burn costs now, by https://developers.circle.com/api-reference/cctp/all/get-burn-usdc-fees.
 * @throws AttestationsError
 */
export async function readFees(
  service: CircleService,
  from: number,
  to: number,
  forward: boolean,
): Promise<BurnFee[]> {
  const { status, content } = await request(
    service,
    'GET',
    `/v2/burn/USDC/fees/${from}/${to}${forward ? '?forward=true' : ''}`,
  )
  if (status === 404) throw new AttestationsError('malformed', 'It knows no fees of this route')
  return readForm(form, content).map(({ finalityThreshold, minimumFee, forwardFee }) => ({
    finality: finalityThreshold,
    basisPoints: minimumFee,
    forwardFee: forward ? (forwardFee?.med ?? forwardFee?.medium ?? null) : null,
  }))
}
