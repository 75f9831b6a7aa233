import { systemActor } from '../src/audit/recordAudit.ts'
import { knownChain } from '../src/chains/registry.ts'
import { formatUnits, parseUnits } from '../src/money/amount.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import type { Db } from '../src/platform/database/db.ts'
import { runCommand } from '../src/platform/runCommand.ts'
import {
  budgetHours,
  feeLimits,
  feesSigned,
  type StoredLimits,
  storedLimits,
} from '../src/txmgr/fees/feeLimits.ts'
import { setFeeLimit } from '../src/txmgr/fees/setFeeLimit.ts'
import { type LimitedChain, limitedChains } from './limitedChains.ts'
import { withDatabase } from './withDatabase.ts'

// npm run fees                                    lists the limits of network fees by chain, and what was
// signed within 24 hours npm run fees -- ceiling <chain> <amount>|none   the maximum fee of one transaction,
// in whole native coins; none: that of the settings npm run fees -- budget <chain> <amount>|none    the
// maximum of all fees that the treasury signs within 24 hours

const say = (text: string) => process.stdout.write(`${text}\n`)
const usage = 'Usage: npm run fees [-- ceiling <chain> <amount>|none | -- budget <chain> <amount>|none]'
const kinds: readonly string[] = ['ceiling', 'budget'] satisfies (keyof StoredLimits)[]
const setting: Record<keyof StoredLimits, string> = { ceiling: 'MAX_FEE', budget: 'FEE_BUDGET' }

await runCommand({ usage }, async (words) => {
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
  if (!kinds.includes(kind) || text === '' || more.length > 0) throw new ConfigError(usage)
  const known = knownChain(name)
  if (!known) throw new ConfigError(usage)
  const value = text === 'none' ? null : parseUnits(text, known.native.decimals)
  if (text !== 'none' && (value === null || value === 0n))
    throw new ConfigError(`${text} is not an amount of ${known.native.symbol}, such as 0.05`)
  return (db) => set(db, name, kind as keyof StoredLimits, value)
}

async function set(db: Db, name: string, kind: keyof StoredLimits, value: bigint | null): Promise<void> {
  const chain = limitedChains().find((each) => each.name === name)
  if (!chain) throw new ConfigError(usage)
  const bound = kind === 'ceiling' ? chain.maxFee : (chain.feeBudget ?? null)
  if (value !== null && bound !== null && value > bound) {
    const show = (amount: bigint) => formatUnits(amount, chain.native.decimals)
    throw new ConfigError(
      `${show(value)} is above ${name.toUpperCase()}_${setting[kind]}, ${show(bound)} ${chain.native.symbol}: a command only lowers it. Change the setting, and restart`,
    )
  }
  await setFeeLimit({ db }, systemActor('npm run fees'), chain, kind, value)
  say(await lineOf(db, chain))
}
