import { systemActor } from '../src/audit/recordAudit.ts'
import { knownChain } from '../src/chains/registry.ts'
import { formatUnits, parseUnits } from '../src/money/amount.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import type { Db } from '../src/platform/database/db.ts'
import {
  budgetHours,
  feeLimits,
  feesSigned,
  type StoredLimits,
  storedLimits,
} from '../src/txmgr/fees/feeLimits.ts'
import { setFeeLimit } from '../src/txmgr/fees/setFeeLimit.ts'
import { type LimitedChain, limitedChains } from './limitedChains.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'
import { withDatabase } from './withDatabase.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const kinds: readonly string[] = ['ceiling', 'budget'] satisfies (keyof StoredLimits)[]
const setting: Record<keyof StoredLimits, string> = { ceiling: 'MAX_FEE', budget: 'FEE_BUDGET' }

export const run = program('fees', async (words) => {
  const work = words.length === 0 ? list : change(words)
  await withDatabase(readConfig(['DATABASE_URL']).DATABASE_URL, work)
})

async function list(db: Db): Promise<void> {
  for (const chain of limitedChains()) say(await lineOf(db, chain))
}

async function lineOf(db: Db, chain: LimitedChain): Promise<string> {
  const show = (amount: bigint) => `${formatUnits(amount, chain.native.decimals)} ${chain.native.symbol}`
  const [stored, { ceiling, budget }, signed] = await Promise.all([
    storedLimits(db, chain.name),
    feeLimits(db, chain),
    feesSigned(db, chain.name),
  ])
  // A row above the settings does not count.
  const by = (limit: bigint, ofCommand: bigint | null) => (limit === ofCommand ? 'command' : 'settings')
  const ofBudget =
    budget === null
      ? 'no budget'
      : `budget ${show(budget)} (${by(budget, stored.budget)})${signed >= budget ? ', used up: transfers wait' : ''}`
  return `${chain.name}  ceiling ${show(ceiling)} (${by(ceiling, stored.ceiling)})  ${ofBudget}  signed in ${budgetHours} h ${show(signed)}`
}

function change([kind = '', name = '', text = '', ...more]: string[]): (db: Db) => Promise<void> {
  if (!kinds.includes(kind) || text === '' || more.length > 0) throw new UsageError()
  const known = knownChain(name)
  if (!known) throw new UsageError()
  const value = text === 'none' ? null : parseUnits(text, known.native.decimals)
  if (text !== 'none' && (value === null || value === 0n))
    throw new ConfigError(`${text} is not an amount of ${known.native.symbol}, such as 0.05`)
  return (db) => set(db, name, kind as keyof StoredLimits, value)
}

async function set(db: Db, name: string, kind: keyof StoredLimits, value: bigint | null): Promise<void> {
  const chain = limitedChains().find((each) => each.name === name)
  if (!chain) throw new UsageError()
  const bound = kind === 'ceiling' ? chain.maxFee : (chain.feeBudget ?? null)
  if (value !== null && bound !== null && value > bound) {
    const show = (amount: bigint) => formatUnits(amount, chain.native.decimals)
    throw new ConfigError(
      `${show(value)} is above ${name.toUpperCase()}_${setting[kind]}, ${show(bound)} ${chain.native.symbol}: a command only lowers it. Change the setting, and restart`,
    )
  }
  await setFeeLimit({ db }, systemActor('cowry fees'), chain, kind, value)
  say(await lineOf(db, chain))
}
