// What a strict TypeScript program does with the packed client. It is only compiled.
import {
  type AnswerOf,
  type BodyOf,
  CowryError,
  type CowryEvent,
  createClient,
  createVerificationClient,
  verifyWebhook as fromIndex,
} from '@cowry/client'
import { verifyWebhook } from '@cowry/client/webhooks'

const cowry = createClient({ baseUrl: 'https://pay.example.com/api/v1', apiKey: 'ak_live_1' })

// Nothing with a default is required.
const order: BodyOf<'createSession'> = { chain: 'base', token: 'USDC', amount: '25.5' }
export const create = async (): Promise<string> => {
  const session: AnswerOf<'createSession'> = await cowry.call('createSession', { body: order })
  return session.address
}

// @ts-expect-error: no such chain
export const wrongChain: BodyOf<'createSession'> = { chain: 'eth', token: 'USDC', amount: '1' }
// @ts-expect-error: no such operation
export const wrongOperation = () => cowry.call('createSessions')
// @ts-expect-error: its path is missing
export const withoutPath = () => cowry.call('getSession')
// @ts-expect-error: an amount is a string
export const wrongAmount = () => cowry.call('createSession', { body: { ...order, amount: 25.5 } })

export async function receive(headers: Headers, body: Uint8Array): Promise<string | undefined> {
  const event: CowryEvent = await verifyWebhook('whsec_c2VjcmV0', headers, body)
  if (event.type === 'session.paid') return event.data.reference ?? undefined
  return undefined
}
export const receiveInNode = (headers: Record<string, string | string[] | undefined>, body: string) =>
  fromIndex('whsec_c2VjcmV0', headers, body)

export async function follow(signal: AbortSignal): Promise<void> {
  try {
    for await (const event of cowry.events({ after: 7, types: ['session.*'], signal }))
      if (event.type === 'transfer.failed') throw new Error(event.id)
    for await (const quote of cowry.quotes('streamSessionQuote', {
      query: { chain: 'base', token: 'USDC', amount: '25.5' },
    }))
      if (quote.localAmount) return
  } catch (error) {
    if (error instanceof CowryError && error.code === 'rate_limited') return
    throw error
  }
}
export const kyc = createVerificationClient({ baseUrl: 'https://v.example.com/api/kyc', apiKey: 'sk_1' })
