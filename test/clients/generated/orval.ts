// Takes a payment with the functions that orval makes.
import { createSession, getSession } from './made/cowry'
import { apiKey, order, untilPaid } from './surroundings'

const headers = { 'X-API-Key': apiKey }
const created = await createSession(
  { chain: 'ethereum', token: 'USDC', amount: '25.5', reference: order },
  { headers: { ...headers, 'Idempotency-Key': order } },
)
if (created.status !== 201) throw new Error(`createSession answered ${created.status}`)
await untilPaid(created.data, async (id): Promise<string | undefined> => {
  const found = await getSession(id, { headers })
  return found.status === 200 ? found.data.status : undefined
})
