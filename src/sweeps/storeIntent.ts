import type { Action } from '../chains/action.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { Tx } from '../platform/database/db.ts'
import { type Intent, insertIntent, type Signer } from '../txmgr/intents.ts'
import { pollEvery, type SweepsContext } from './context.ts'
import type { Sweep } from './sweepRow.ts'

/** Stores an intent of the platform for these sweeps, which then wait for it. */
export async function storeIntent(
  ctx: SweepsContext,
  tx: Tx,
  sweeps: readonly Pick<Sweep, 'id' | 'chain'>[],
  chain: ConfiguredChain,
  wanted: { purpose: 'sweep' | 'gas'; signer: Signer; action: Action },
): Promise<Intent> {
  const [first] = sweeps
  if (!first) throw new Error('an intent of sweeps needs a sweep')
  const { purpose, signer, action } = wanted
  const asset = action.kind === 'transfer' ? (action.token ?? chain.native) : { symbol: null, decimals: null }
  const { symbol, decimals } = asset
  const intent = await insertIntent(
    ctx,
    tx,
    { businessId: null, purpose, chain: first.chain, signer, walletId: null, action, symbol, decimals },
    0,
    ctx.prover,
  )
  const ids = sweeps.map(({ id }) => id)
  await tx.query('insert into sweep_intents (intent_id, sweep_id) select $1, unnest($2::uuid[])', [
    intent.id,
    ids,
  ])
  await tx.query(
    purpose === 'gas'
      ? `update sweeps set status = 'funding', reason = null, gas_intent_id = $2, next_at = now() + $3 * interval '1 millisecond', updated_at = now() where id = any($1::uuid[])`
      : `update sweeps set status = 'sending', reason = null, intent_id = $2, next_at = now() + $3 * interval '1 millisecond', updated_at = now() where id = any($1::uuid[])`,
    [ids, intent.id, 5 * pollEvery(ctx, chain)],
  )
  return intent
}
