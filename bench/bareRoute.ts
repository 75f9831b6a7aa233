import { createServer } from 'node:http'
import express from 'express'
import pg from 'pg'
import { listen } from '../src/platform/http/http.ts'
import { newId } from '../src/platform/ids.ts'

// Lower bound for creating a session: an express route that writes the same rows in one transaction (address,
// session, watch, audit entry, event, delivery and its place in the queue), without authentication, limits,
// contract validation or prices.

process.on('disconnect', () => process.exit())

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL),
})
const businessId = process.env.BUSINESS_ID
const endpoint = await pool.query<{ id: string }>('select id from webhook_endpoints where business_id = $1', [
  businessId,
])
const endpointId = endpoint.rows[0]?.id

async function create(body: { chain: string; token: string; amount: string }) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{ address: string }>(
      `update deposit_addresses set taken_at = now()
       where family = $1 and index = (
         select index from deposit_addresses where family = $1 and taken_at is null order by index + 0 for update skip locked limit 1)
       returning address`,
      ['evm'],
    )
    const taken = rows[0]
    if (!taken) throw new Error('the address pool is empty')
    const id = newId()
    const expiresAt = new Date(Date.now() + 600_000)
    await client.query(
      `insert into pos_sessions (id, business_id, chain, token, family, address, amount_expected, local_amount, local_currency, rate,
         fx_margin_percent, fee, fee_currency, required_confirmations, expires_at, created_at)
       values ($1, $2, $3, $4, 'evm', $5, $6, '158585', 'NGN', '1610', '1.5', '1585.85', 'NGN', 12, $7, now())`,
      [id, businessId, body.chain, body.token, taken.address, `${body.amount}000000`, expiresAt],
    )
    await client.query(
      'insert into watches (id, family, chain, address, business_id, purpose, subject_id) values ($1, $2, null, $3, $4, $5, $6)',
      [newId(), 'evm', Buffer.from(taken.address.slice(2), 'hex'), businessId, 'session', id],
    )
    const session = {
      id,
      chain: body.chain,
      address: taken.address,
      token: body.token,
      amountExpected: body.amount,
      status: 'pending',
      expiresAt,
    }
    await client.query(
      `insert into audit_log (id, business_id, actor_kind, actor_label, action, target, after, address, request_id)
       values ($1, $2, 'api_key', 'bench', 'session.created', $3, $4, '127.0.0.1', $5)`,
      [newId(), businessId, id, session, newId()],
    )
    // Last, and in one statement: the numbers of a business's events are taken one after the other.
    await client.query(
      `with taken as (
         insert into event_sequences (business_id, last) values ($1, 1) on conflict (business_id) do update set last = event_sequences.last + 1 returning last),
       stored as (
         insert into events (id, created_at, business_id, sequence, type, data) select $2, $3, $1, last, 'session.created', $4 from taken),
       delivered as (
         insert into webhook_deliveries (id, created_at, event_id, business_id, endpoint_id, topic, type, chain, address, symbol, amount)
         values ($5, $3, $2, $1, $6, 'session', 'session.created', $7, $8, $9, $10))
       insert into webhook_queue (delivery_id, created_at, endpoint_id, next_attempt_at) values ($5, $3, $6, $3)`,
      [
        businessId,
        newId(),
        new Date(),
        session,
        newId(),
        endpointId,
        body.chain,
        taken.address,
        body.token,
        body.amount,
      ],
    )
    await client.query('commit')
    return session
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const app = express()
app.disable('x-powered-by').set('etag', false)
app.use(express.json())
app.post('/sessions', async (request, response) => void response.status(201).json(await create(request.body)))

process.on('message', () => void process.send?.({ cpu: process.cpuUsage() }))
process.send?.({ port: await listen(createServer(app), 0, '127.0.0.1') })
