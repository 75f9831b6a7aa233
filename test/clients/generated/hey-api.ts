// Takes a payment with the client that @hey-api/openapi-ts makes.
import { createSession, getSession } from './made'
import { client } from './made/client.gen'
import { apiKey, baseUrl, order, untilPaid } from './surroundings'

client.setConfig({ baseUrl, auth: ({ type }) => (type === 'apiKey' ? apiKey : undefined) })
const { data, error } = await createSession({
  headers: { 'Idempotency-Key': order },
  body: { chain: 'ethereum', token: 'USDC', amount: '25.5', reference: order },
})
if (!data) throw new Error(error?.error)
await untilPaid(data, async (id): Promise<string | undefined> => {
  const found = await getSession({ path: { id } })
  return found.data?.status
})
