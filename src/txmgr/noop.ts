import type { CallsSpec } from '../chains/action.ts'
import { knownChain } from '../chains/registry.ts'
import type { Tx } from '../platform/database/db.ts'
import type { Intent, IntentPurpose } from './intents.ts'

declare module './intents.ts' {
  interface IntentPurposes {
    /** Uses up a nonce that no transaction has, so that those behind it can be mined. */
    noop: true
  }
}

/** Moves nothing: a call of an address to itself, without value and data. Only EVM. */
export const noopOf = (from: string): CallsSpec => ({
  kind: 'calls',
  from,
  calls: [{ to: from, data: '0x', value: 0n, accounts: [] }],
  cosigners: [],
  spends: [],
  receives: [],
  gasPrice: null,
  gasLimit: null,
})

/**
 * The worker makes them (`fillGap.ts`). The treasury works the call out by itself, and signs it only where
 * its own signatures show the gap.
 */
export const noopPurpose: IntentPurpose = {
  name: 'noop',
  signers: ['wallet', 'deposit', 'treasury', 'staking'],
  madeBy: 'worker',
  onChange: async (tx, row, before) => {
    if (row.businessId === null) await (await import('./bookIntent.ts')).bookIntent(tx, row, before)
  },
  policy: {
    check: refusalOfNoop,
    action: async (_tx, { action }) => noopOf(action.from),
  },
}

async function refusalOfNoop(tx: Tx, { id, chain, action }: Intent): Promise<string | null> {
  if (knownChain(chain)?.family !== 'evm') return `nothing waits behind a nonce on ${chain}`
  const owned = await tx.query<{ nonce: string }>('select nonce from intent_nonces where intent_id = $1', [
    id,
  ])
  const [nonce] = owned
  if (!nonce || owned.length > 1) return 'it does not have one nonce'
  const [behind] = await tx.query(
    `select 1 from intent_nonces n join intents o on o.id = n.intent_id
       join treasury_signatures s on s.intent_id = n.intent_id and s.chain = n.chain and s.nonce = n.nonce
     where n.chain = $1 and n.address = $2 and n.nonce > $3 and o.from_address = $2 and o.next_reconcile_at is not null limit 1`,
    [chain, action.from, nonce.nonce],
  )
  if (!behind && !(await hasDeadPayment(tx, chain, action.from, nonce.nonce)))
    return 'no transaction that the treasury signed waits behind its nonce'
  // One that failed was refused by the network: if it is mined after all, this one never is.
  const [open] = await tx.query(
    `select 1 from intents o join treasury_signatures s on s.intent_id = o.id
     where o.chain = $1 and o.from_address = $2 and o.id <> $4 and o.next_reconcile_at is not null and o.status not in ('failed', 'expired')
       and s.chain = $1 and s.nonce = $3 limit 1`,
    [chain, action.from, nonce.nonce, id],
  )
  return open ? 'a transaction that the treasury signed has its nonce' : null
}

/**
 * A payment of a stake that failed without a block is paid again once its nonce is used: then it can never be
 * mined.
 */
async function hasDeadPayment(tx: Tx, chain: string, from: string, nonce: string): Promise<boolean> {
  const [dead] = await tx.query(
    `select 1 from intents o join treasury_signatures s on s.intent_id = o.id
     where o.business_id is null and o.chain = $1 and o.from_address = $2 and o.signer = 'staking' and o.status in ('failed', 'expired')
       and o.next_reconcile_at is null and o.block_height is null and s.chain = $1 and s.nonce = $3 limit 1`,
    [chain, from, nonce],
  )
  return dead !== undefined
}
