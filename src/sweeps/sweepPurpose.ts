import { type Action, type Flow, flowsOf, type Token } from '../chains/action.ts'
import { sweepActions } from '../chains/sweepActions.ts'
import type { Authorization, SweepItem } from '../chains/sweeping.ts'
import { isOwnDeposit } from '../custody/platformAddresses.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import type { Intent, IntentPurpose, TreasuryChain, TreasuryFacts } from '../txmgr/intents.ts'
import { newestAuthorization } from './authorizations.ts'

declare module '../txmgr/intents.ts' {
  interface IntentPurposes {
    /** Moves what deposit addresses hold to the treasury. */
    sweep: true
  }
}

/**
 * A sweep moves assets of deposit addresses to the treasury, and nothing elsewhere: the treasury derives both
 * addresses, and builds the transaction from the sweeps that the row belongs to.
 */
export const sweepPurpose: IntentPurpose = {
  name: 'sweep',
  signers: ['deposit', 'treasury'],
  madeBy: 'worker',
  onChange: async (...changed) => (await import('./onIntentChange.ts')).onIntentChange(...changed),
  policy: { check: refusalOfSweep, action: sweepAction },
}

async function refusalOfSweep(
  tx: Tx,
  row: Intent,
  { addresses, chain }: TreasuryFacts,
): Promise<string | null> {
  if (row.businessId !== null) return 'it is not of the platform'
  const { spends } = flowsOf(row.action)
  for (const { address } of spends)
    if (!(await isOwnDeposit(tx, addresses, chain.family, address)))
      return `${address} is not a deposit address of this seed`
  return (await isOfItsSweeps(tx, row, spends)) ? null : 'it is not what its sweeps move'
}

/** Each sweep of the row moves one asset of one address, and the row moves no other. */
async function isOfItsSweeps(
  db: Queryable,
  { id, chain }: Intent,
  spends: readonly Flow[],
): Promise<boolean> {
  const sweeps = await db.query<{ text: string }>(
    `select concat_ws(' ', s.address, coalesce(s.contract, 'native'), s.amount) as text
     from sweep_intents i join sweeps s on s.id = i.sweep_id where i.intent_id = $1 and s.chain = $2 and s.status not in ('done', 'failed')`,
    [id, chain],
  )
  const texts = spends.map(({ address, token, amount }) =>
    [address, token?.contract ?? 'native', amount].join(' '),
  )
  return (
    sweeps.length > 0 &&
    JSON.stringify(sweeps.map(({ text }) => text).toSorted()) === JSON.stringify(texts.toSorted())
  )
}

async function sweepAction(tx: Tx, row: Intent, { addresses, chain }: TreasuryFacts): Promise<Action | null> {
  const actions = await sweepActions(chain)
  if (!actions) return null
  const items: SweepItem[] = []
  const closing = await closingSweeps(tx, row)
  for (const { address, token: named, amount } of flowsOf(row.action).spends) {
    const token = named && registered(chain, named)
    const needs = row.signer === 'treasury' && token !== null && (actions.authorizing?.needs(token) ?? false)
    const authorization =
      needs && token ? await newestAuthorization(tx, { chain: row.chain, address, token, amount }) : null
    if (needs && !isUsable(authorization, row)) return null
    const closes = token !== null && closing.has(`${address} ${token.contract}`)
    items.push({ address, token, amount, authorization, closes })
  }
  const { gasPrice, gasLimit } = row.action
  const treasury = addresses.treasury(chain.family)
  return items.length > 1 && row.signer === 'deposit'
    ? null
    : actions.action(items, treasury, { gasPrice, gasLimit })
}

/**
 * Addresses and tokens whose account is closed too. With or without that, a sweep reaches the treasury alone.
 */
async function closingSweeps(db: Queryable, { id, chain }: Intent): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ text: string }>(
    `select s.address || ' ' || s.contract as text from sweep_intents i join sweeps s on s.id = i.sweep_id
     where i.intent_id = $1 and s.chain = $2 and s.closes and s.contract is not null`,
    [id, chain],
  )
  return new Set(rows.map(({ text }) => text))
}

/** A first transaction needs one that is still valid; later ones take its nonce. */
const isUsable = (authorization: Authorization | null, { status }: Intent): boolean =>
  authorization !== null && (status !== 'created' || authorization.validBefore.getTime() > Date.now())

/** A token under the registry's name, not that of the row: the books are kept by that name. */
function registered({ tokens, lookalikes }: TreasuryChain, { contract }: Token): Token {
  const found = [...tokens, ...lookalikes].find((each) => each.contract === contract)
  return found
    ? { contract, symbol: found.symbol, decimals: found.decimals }
    : { contract, symbol: '', decimals: 0 }
}
