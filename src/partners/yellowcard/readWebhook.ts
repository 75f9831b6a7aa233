import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { PartnerWebhook, WebhookReading } from '../../partnerPayments/partner.ts'
import { isSame } from '../../platform/isSame.ts'
import type { YellowCardAccount } from './account.ts'
import { id } from './fields.ts'

const senderForm = z.object({ apiKey: z.string() })

/**
 * Events of payments and of collections, by their older and newer names; others are of conversions and
 * settlements.
 */
const eventForm = (names: RegExp) => z.object({ id, event: z.string().regex(names) })
const paymentForm = eventForm(/^(PAYMENT|SEND)\./i)
const collectionForm = eventForm(/^(COLLECTION|RECEIVE)\./i)

/**
 * Checks a webhook by https://docs.yellowcard.engineering/docs/webhooks-api: `X-YC-Signature` is the base64
 * HMAC-SHA-256 of the body with the secret of the `apiKey` that the body names. It carries no time, so a copy
 * of it stays genuine: it may only cause a read of the payment or collection.
 */
export function readWebhook(
  { apiKey, secretKey }: YellowCardAccount,
  { rawBody, signature = '' }: PartnerWebhook,
): WebhookReading {
  const expected = createHmac('sha256', secretKey.reveal()).update(rawBody).digest('base64')
  if (!isSame(signature, expected)) return { genuine: false }
  const content = parse(rawBody)
  const sender = senderForm.safeParse(content)
  if (!sender.success || !isSame(sender.data.apiKey, apiKey)) return { genuine: false }
  return {
    genuine: true,
    paymentId: paymentForm.safeParse(content).data?.id ?? null,
    collectionId: collectionForm.safeParse(content).data?.id ?? null,
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Null for what is not JSON in UTF-8. */
function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    return null
  }
}
