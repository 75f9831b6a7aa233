import { webhookSignature, type YellowCardCredentials } from './signature.ts'

/** The body of a webhook (docs/webhooks-api). */
export interface WebhookEvent {
  id: string
  sequenceId: string
  status: string
  apiKey: string
  event: string
  errorCode?: string
  executedAt: string
}

interface Changed {
  id: string
  sequenceId: string
  status: string
  errorCode: string | null
  updatedAt: number
}

/** docs/webhooks-api */
const names = {
  PAYMENT: { payment: 'PAYMENT', collection: 'COLLECTION', transfer: 'SETTLEMENT' },
  SEND: { payment: 'SEND', collection: 'RECEIVE', transfer: 'CONVERT' },
} as const

export interface Webhooks {
  /** Where they are sent; null: nowhere. */
  url: string | null
  /** True: they are kept for `sendHeld`. */
  hold: boolean
  /**
   * The names of events: those of payments are `PAYMENT.*` with those of collections `COLLECTION.*`, or
   * newer, `SEND.*` with `RECEIVE.*`.
   */
  kind: 'PAYMENT' | 'SEND'
  /** Every event, sent or not. */
  made: WebhookEvent[]
  /**
   * @param family what changed; a `transfer` is the crypto of a collection, whose events have ids of their
   * own
   */
  report(changed: Changed, family?: 'payment' | 'collection' | 'transfer'): void
  /** Sends those that were held, and answers with the statuses. */
  sendHeld(order?: 'as made' | 'reversed', times?: number): Promise<number[]>
  send(event: WebhookEvent): Promise<number>
  /** Resolves when everything under way was answered. */
  settled(): Promise<void>
}

/** The body and headers of a webhook. */
export function webhookRequest(
  event: object,
  { secretKey }: Pick<YellowCardCredentials, 'secretKey'>,
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(event)
  return {
    body,
    headers: { 'content-type': 'application/json', 'x-yc-signature': webhookSignature(body, secretKey) },
  }
}

export function createWebhooks(credentials: YellowCardCredentials): Webhooks {
  const held: WebhookEvent[] = []
  const underWay = new Set<Promise<unknown>>()
  const webhooks: Webhooks = {
    url: null,
    hold: false,
    kind: 'PAYMENT',
    made: [],
    report({ id, sequenceId, status, errorCode, updatedAt }, family = 'payment') {
      const event: WebhookEvent = {
        id,
        sequenceId,
        status,
        apiKey: credentials.apiKey,
        event: `${names[webhooks.kind][family]}.${status.toUpperCase()}`,
        ...(errorCode === null ? {} : { errorCode }),
        executedAt: new Date(updatedAt).toISOString(),
      }
      webhooks.made.push(event)
      if (webhooks.hold) held.push(event)
      else if (webhooks.url !== null) {
        const sending = webhooks.send(event).catch(() => 0)
        underWay.add(sending)
        void sending.finally(() => underWay.delete(sending))
      }
    },
    async sendHeld(order = 'as made', times = 1) {
      const events = held.splice(0)
      if (order === 'reversed') events.reverse()
      const statuses: number[] = []
      for (const event of events) for (let i = 0; i < times; i++) statuses.push(await webhooks.send(event))
      return statuses
    },
    async send(event) {
      if (webhooks.url === null) throw new Error('webhooks have no url')
      const answer = await fetch(webhooks.url, { method: 'POST', ...webhookRequest(event, credentials) })
      await answer.arrayBuffer()
      return answer.status
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
  return webhooks
}
