import { startServer } from './httpServer.ts'
import type { Stack } from './stack.ts'
import { waitFor } from './waitFor.ts'

/** A webhook as a receiver gets it, with the key that verifies it. */
export interface MadeWebhook {
  key: string
  headers: Record<string, string>
  body: string
}

/** A delivery of the API to an endpoint of its own for each kind of signature. */
export async function deliverWebhooks(
  stack: Pick<Stack, 'api'>,
  signatures: readonly ('hmac' | 'ed25519')[],
): Promise<MadeWebhook[]> {
  const receiver = await startServer((response) => void response.writeHead(204).end())
  try {
    const made: MadeWebhook[] = []
    for (const signature of signatures) {
      const { endpoint, secret } = await created<{
        endpoint: { id: string; publicKey: string | null }
        secret: string | null
      }>(stack, '/webhook-endpoints', { url: `${receiver.url}/${signature}`, signature })
      const { eventId } = await created<{ eventId: string }>(stack, `/webhook-endpoints/${endpoint.id}/test`)
      const { headers, body } = await waitFor('the test event', async () =>
        receiver.heard.find((request) => request.headers['webhook-id'] === eventId),
      )
      made.push({
        key: endpoint.publicKey ?? secret ?? '',
        headers: Object.fromEntries(
          Object.entries(headers).flatMap(([name, value]) =>
            name.startsWith('webhook-') ? [[name, String(value)]] : [],
          ),
        ),
        body,
      })
    }
    return made
  } finally {
    await receiver.close()
  }
}

async function created<T>(stack: Pick<Stack, 'api'>, path: string, body?: object): Promise<T> {
  const answer = await stack.api<T>('POST', path, body)
  if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}`)
  return answer.body
}
