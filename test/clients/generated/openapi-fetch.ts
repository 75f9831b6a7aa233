// Takes a payment with the types of openapi-typescript, and openapi-fetch.
import createClient from 'openapi-fetch'
import type { paths } from './made/schema'
import { apiKey, baseUrl, order, untilPaid } from './surroundings'

const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey } })
const { data, error } = await client.POST('/pos/sessions', {
  params: { header: { 'Idempotency-Key': order } },
  body: { chain: 'ethereum', token: 'USDC', amount: '25.5', reference: order },
})
if (!data) throw new Error(error.error)
await untilPaid(data, async (id): Promise<string | undefined> => {
  const found = await client.GET('/pos/sessions/{id}', { params: { path: { id } } })
  return found.data?.status
})
