import { z } from 'zod'
import type { AttestedMessage } from '../../bridge/attestations.ts'
import { type CircleService, readForm, request } from './request.ts'

const bytes = /^0x(?:[0-9a-f]{2})*$/i
const maxBytes = 20_000

const hexOrNothing = z
  .string()
  .max(2 * maxBytes)
  .nullish()
const word = z.string().max(200).nullish()

const form = z.object({
  messages: z.array(
    z.object({
      message: hexOrNothing,
      attestation: hexOrNothing,
      delayReason: word,
      forwardTxHash: word,
    }),
  ),
})

/**
 * Messages of a transaction, by https://developers.circle.com/api-reference/cctp/all/get-messages-v2. Unknown transactions are a 404 or an empty
 * list; a message that waits has `0x`, and the attestation `PENDING`. What the answer decodes itself is not
 * used.
 * @throws AttestationsError
 */
export async function readMessages(
  service: CircleService,
  domain: number,
  txId: string,
): Promise<AttestedMessage[]> {
  const { status, content } = await request(
    service,
    'GET',
    `/v2/messages/${domain}?transactionHash=${encodeURIComponent(txId)}`,
  )
  if (status === 404) return []
  return readForm(form, content).messages.map(({ message, attestation, delayReason, forwardTxHash }) => ({
    message: hexOf(message),
    attestation: hexOf(attestation),
    delay: delayReason && /^[a-z][a-z0-9_]{0,60}$/.test(delayReason) ? delayReason : null,
    forwardTxId: forwardTxHash || null,
  }))
}

const hexOf = (text: string | null | undefined): `0x${string}` | null =>
  text && text.length > 2 && bytes.test(text) ? (text.toLowerCase() as `0x${string}`) : null
