import { isOwnDeposit } from '../custody/platformAddresses.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import type { Intent, IntentPurpose, TreasuryChain, TreasuryFacts } from '../txmgr/intents.ts'

declare module '../txmgr/intents.ts' {
  interface IntentPurposes {
    /** Sends native coin from the treasury to a deposit address, for the fee of its sweep. */
    gas: true
  }
}

/**
 * Gas goes from the treasury to a deposit address whose sweep waits for it: at most one maximum fee at once,
 * and a limit a day.
 */
export const gasPurpose: IntentPurpose = {
  name: 'gas',
  signers: ['treasury'],
  madeBy: 'worker',
  onChange: async (...changed) => (await import('./onIntentChange.ts')).onIntentChange(...changed),
  policy: {
    check: refusalOfGas,
    action: async (_tx, { action }, { addresses, chain }) =>
      action.kind === 'transfer'
        ? {
            kind: 'transfer',
            from: addresses.treasury(chain.family),
            to: action.to,
            token: null,
            amount: action.amount,
            memo: null,
            gasPrice: null,
            gasLimit: null,
          }
        : null,
  },
}

async function refusalOfGas(
  tx: Tx,
  row: Intent,
  { addresses, chain }: TreasuryFacts,
): Promise<string | null> {
  const { id, businessId, action } = row
  if (businessId !== null) return 'it is not of the platform'
  if (action.kind !== 'transfer') return 'it is not a transfer'
  if (!(await isOwnDeposit(tx, addresses, chain.family, action.to)))
    return `${action.to} is not a deposit address of this seed`
  const [sweep] = await tx.query(
    `select 1 from sweeps where gas_intent_id = $1 and chain = $2 and address = $3 and payer = 'deposit' and status = 'funding'`,
    [id, row.chain, action.to],
  )
  if (!sweep) return 'no sweep of the address waits for gas'
  if (action.amount > chain.maxFee) return `it is more than one fee on ${chain.name} may be`
  // Two treasuries must not both take the rest of the day.
  await tx.query("select pg_advisory_xact_lock(hashtextextended('cowry gas budget ' || $1, 0))", [chain.name])
  return (await gasSigned(tx, chain.name, id)) + action.amount > gasBudget(chain)
    ? `gas on ${chain.name} is used up for today`
    : null
}

export const gasBudget = ({ gasBudget, maxFee }: Pick<TreasuryChain, 'gasBudget' | 'maxFee'>): bigint =>
  gasBudget ?? 20n * maxFee

/**
 * Gas that the treasury has signed within 24 hours, by its own record. @param except an intent that does not
 * count
 */
export async function gasSigned(db: Queryable, chain: string, except: string | null = null): Promise<bigint> {
  const [row] = await db.query<{ sum: string }>(
    `select coalesce(sum(amount), 0) as sum from intents where purpose = 'gas' and chain = $1 and id is distinct from $2 and id in (
       select intent_id from treasury_signatures where chain = $1 and signed_at > now() - interval '24 hours')`,
    [chain, except],
  )
  return BigInt(row?.sum ?? 0)
}
