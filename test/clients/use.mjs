// What a program does with the packed client, in plain JavaScript: creates a session, and verifies webhooks.
// Its arguments: the API's address, an API key, a file with webhooks, an order's reference.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { createClient, ValidationError, verifyWebhook, WebhookVerificationError } from '@cowry/client'

const [baseUrl, apiKey, file, reference] = process.argv.slice(2)
const cowry = createClient({ baseUrl, apiKey })
const body = { chain: 'ethereum', token: 'USDC', amount: '25.5', reference }
const session = await cowry.call('createSession', { body, idempotencyKey: reference })
const again = await cowry.call('createSession', { body, idempotencyKey: reference })
const wrong = await cowry.call('createSession', { body: { ...body, amount: '-1' } }).catch((error) => error)
const found = []
for await (const page of cowry.pages('listSessions', { query: { reference, limit: 1 } }))
  found.push(...page.sessions.map(({ id }) => id))
const events = []
for await (const event of cowry.events({ after: 0 })) {
  events.push(event.type)
  break
}
const verified = []
for (const { key, headers, body } of JSON.parse(readFileSync(file, 'utf8'))) {
  const { type } = await verifyWebhook(key, headers, body)
  const changed = await verifyWebhook(key, headers, body.replace('}', ' }')).catch((error) => error)
  verified.push([type, changed instanceof WebhookVerificationError && changed.code])
}
process.stdout.write(
  JSON.stringify({
    id: session.id,
    same: again.id === session.id,
    refused: wrong instanceof ValidationError && wrong.status,
    found,
    events: events.length,
    verified,
  }),
)
