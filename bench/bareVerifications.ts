import { createServer } from 'node:http'
import express from 'express'
import pg from 'pg'
import { listen } from '../src/platform/http/http.ts'
import { newId } from '../src/platform/ids.ts'

// Lower bound for an identity check: an express route that writes the same rows in one transaction (request,
// fields, hold of its price, audit entry), without authentication, limits, contract validation, prices,
// sealing, or a check of requests before it.

process.on('disconnect', () => process.exit())

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL),
})
const businessId = process.env.BUSINESS_ID
const { rows: accounts } = await pool.query<{ id: string; name: string }>(
  "select id, name from ledger_accounts where business_id = $1 and name in ('credit', 'credit_held') and asset = 'USD'",
  [businessId],
)
const accountOf = (wanted: string) => accounts.find(({ name }) => name === wanted)?.id
const [credit, held] = [accountOf('credit'), accountOf('credit_held')]
const price = '250000'
const sealedBytes = 28

async function create({ requestId, country, idType, ...person }: Record<string, string>) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const [id, entryId] = [newId(), newId()]
    await client.query(
      `insert into verifications (id, business_id, request_id, country, id_type, price, data_key) values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, businessId, requestId, country, idType, price, Buffer.alloc(32 + sealedBytes)],
    )
    const fields = Object.entries(person)
    await client.query(
      'insert into verification_fields (verification_id, name, sealed) select $1, * from unnest($2::text[], $3::bytea[])',
      [
        id,
        fields.map(([name]) => name),
        fields.map(([, value]) =>
          Buffer.concat([Buffer.alloc(sealedBytes), Buffer.from(JSON.stringify(value))]),
        ),
      ],
    )
    await client.query(
      `insert into ledger_entries (id, kind, business_id, cause_kind, reference, step) values ($1, 'verification.held', $2, 'verification', $3, 1)`,
      [entryId, businessId, id],
    )
    await client.query(
      `insert into ledger_postings (entry_id, account_id, asset, amount) values ($1, $2, 'USD', $4), ($1, $3, 'USD', -$4::numeric)`,
      [entryId, credit, held, price],
    )
    await client.query(
      `insert into audit_log (id, business_id, actor_kind, actor_label, action, target, after, address, request_id)
       values ($1, $2, 'api_key', 'bench', 'verification.requested', $3, $4, '127.0.0.1', $5)`,
      [newId(), businessId, id, { country, idType }, newId()],
    )
    await client.query('commit')
    return { id, requestId, status: 'queued', createdAt: new Date() }
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
app.post('/verify', async (request, response) => void response.status(202).json(await create(request.body)))

process.on('message', () => void process.send?.({ cpu: process.cpuUsage() }))
process.send?.({ port: await listen(createServer(app), 0, '127.0.0.1') })
