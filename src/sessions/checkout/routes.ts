import type { Routes } from '../../http/routes.ts'
import { notFound } from '../../platform/errors.ts'
import type { StreamPiece } from '../../platform/http/bodies.ts'
import type { Secret } from '../../platform/secrets.ts'
import { sessionOfToken } from './checkoutToken.ts'
import type { Checkout, OpenCheckouts } from './openCheckouts.ts'

export interface CheckoutRoutesContext {
  appKey: Secret
  checkouts: OpenCheckouts
  /** Life of a stream of events. */
  eventStreamMs: number
}

/** Browsers wait so long before they connect again. */
const retryMs = 1000

/** For customers, who have the URL of a session's checkout page and no credential. */
export const checkoutRoutes = ({ appKey, checkouts, eventStreamMs }: CheckoutRoutesContext): Routes => ({
  async getCheckout({ params, headers, caller, waits }) {
    const sessionId = sessionOfToken(appKey, params.token)
    if (sessionId === null) throw notFound('Session')
    if (!/(^|[,\s])text\/event-stream\s*($|[;,])/i.test(headers.accept ?? ''))
      return { status: 200, body: bodyOf(await checkouts.read(sessionId)) }
    const last = headers['last-event-id']
    const page = {
      known: typeof last === 'string' ? last : undefined,
      address: caller.actor.address ?? '',
    }
    const { signal } = waits()
    return {
      status: 200,
      body: {},
      stream: streamed(checkouts.follow(sessionId, page, signal, eventStreamMs)),
    }
  },
})

/** The time goes with each answer: the clock of a customer's device may be wrong. */
const bodyOf = ({ view }: Checkout) => ({ ...view, now: new Date().toISOString() })

/** Server-Sent Events (WHATWG HTML, 9.2). The id of an event is the version of the view. */
async function* streamed(
  checkouts: AsyncGenerator<Checkout | null, void, undefined>,
): AsyncGenerator<StreamPiece, void, undefined> {
  let head = `retry: ${retryMs}\n\n`
  for await (const checkout of checkouts) {
    if (checkout === null) yield { body: undefined, text: `${head}: waiting\n\n` }
    else {
      const body = bodyOf(checkout)
      yield { body, text: `${head}id: ${checkout.version}\ndata: ${JSON.stringify(body)}\n\n` }
    }
    head = ''
  }
}
