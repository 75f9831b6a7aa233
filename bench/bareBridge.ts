import type { Db, Tx } from '../src/platform/database/db.ts'
import { prepared } from '../src/platform/database/prepared.ts'
import { newId } from '../src/platform/ids.ts'
import { sampleEvent } from './sampleEvent.ts'

// Lower bound for steps of bridge transfers: their rows, written by prepared statements that go together
// where they can.

const lockRow = prepared(
  'select business_id as "businessId", wallet_id as "walletId", status, attestation from bridge_transfers where id = $1 for update',
)
const change =
  'update bridge_transfers set next_at = now(), updated_at = now(), delay = null, tries = 0, fee = $2'
const burn = prepared(`${change}, status = 'in_progress', source_tx_id = $3, burnt_at = $4 where id = $1`)
const attest = prepared(
  `${change}, message = $3, attestation = $4, nonce = $5, executed_speed = 'fast', attested_at = $6 where id = $1`,
)
const mint = prepared(
  `${change}, status = 'completed', nonce = $3, executed_speed = 'fast', destination_tx_id = $4 where id = $1`,
)
const balance = prepared(
  `insert into wallet_balances (wallet_id, business_id, chain, sent_at, check_at) values ($1, $2, 'ethereum', now(), now())
   on conflict (wallet_id) do update set check_at = now()`,
)
const turn = prepared(
  `insert into partner_turns (partner, next_at) values ('bare', now()) on conflict (partner) do update set next_at = excluded.next_at`,
)
/** Without endpoints an event has one delivery, of no endpoint. */
const event = prepared(
  `with taken as (
     insert into event_sequences (business_id, last) values ($1, 1)
     on conflict (business_id) do update set last = event_sequences.last + 1 returning last),
   stored as (
     insert into events (id, created_at, business_id, sequence, type, data) select $2, $3, $1, last, $5, $6 from taken)
   insert into webhook_deliveries (id, created_at, event_id, business_id, topic, type, chain, address, symbol, amount)
   values ($4, $3, $2, $1, 'bridge', $5, 'ethereum', $7, 'USDC', '250')`,
)

interface Locked {
  businessId: string
  walletId: string
}

/** One transaction that locks a row and changes it, and nothing more. */
export const bareChange = (db: Db, id: string): Promise<void> =>
  db.tx(async (tx) => {
    await tx.query(lockRow, [id])
    tx.send(prepared('update bridge_transfers set next_at = now(), updated_at = now() where id = $1'), [id])
  })

/** The rows of a transfer's three steps, a transaction each. */
export async function bareTransfer(
  db: Db,
  { id, txId, message }: { id: string; txId: string; message: string },
): Promise<void> {
  const word = message.slice(0, 66)
  await step(db, id, (tx, { businessId, walletId }) => {
    tx.send(burn, [id, null, txId, new Date()])
    tx.send(balance, [walletId, businessId])
    storeEvent(tx, businessId, 'bridge.in_progress')
  })
  await step(db, id, (tx) => {
    tx.send(turn, [])
    tx.send(attest, [id, '39000', message, '0x11', `${word}${id}`, new Date()])
  })
  await step(db, id, (tx, { businessId }) => {
    tx.send(mint, [id, '39000', `${word}${id}`, txId])
    storeEvent(tx, businessId, 'bridge.completed')
  })
}

/** Leaves a transfer as it was before. */
export const undoBare = (db: Db, id: string): Promise<unknown> =>
  db.query(
    `update bridge_transfers set status = 'pending', source_tx_id = null, burnt_at = null, message = null, attestation = null, nonce = null,
       executed_speed = null, fee = null, attested_at = null, destination_tx_id = null, next_at = now() where id = $1`,
    [id],
  )

const step = (db: Db, id: string, write: (tx: Tx, row: Locked) => void): Promise<void> =>
  db.tx(async (tx) => {
    const [row] = await tx.query<Locked>(lockRow, [id])
    if (row) write(tx, row)
  })

const storeEvent = (tx: Tx, businessId: string, type: string) =>
  tx.send(event, [
    businessId,
    newId(),
    new Date(),
    newId(),
    type,
    JSON.stringify(sampleEvent),
    sampleEvent.address,
  ])
