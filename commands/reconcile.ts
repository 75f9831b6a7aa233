import { systemActor } from '../src/audit/recordAudit.ts'
import { addressCodec } from '../src/chains/codecs.ts'
import { configuredChains } from '../src/chains/configuration.ts'
import { connectChain } from '../src/chains/connect.ts'
import { assetsOf, type ConfiguredChain } from '../src/chains/registry.ts'
import { treasuryAddress } from '../src/custody/treasuryAddress.ts'
import { formatUnits, parseUnits } from '../src/money/amount.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import type { Db } from '../src/platform/database/db.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { bookLostSweeps } from '../src/reconciliation/bookLostSweeps.ts'
import type { ChainDrift } from '../src/reconciliation/context.ts'
import { lostSweeps } from '../src/reconciliation/lostSweeps.ts'
import { type Checked, reconcileChain } from '../src/reconciliation/reconcileChain.ts'
import { isRestored } from '../src/txmgr/restored.ts'
import { counted } from './counted.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'
import { withDatabase } from './withDatabase.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const actor = systemActor('cowry reconcile')

export const run = program('reconcile', async ([name = '', ...more], { recover }) => {
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  const chain = chains.find((each) => each.name === name)
  if (!chain || more.length > 0)
    throw name === '' || more.length > 0 ? new UsageError() : new ConfigError(`${name} is not configured`)
  const costs = recover === undefined ? null : readCosts(chain, recover)
  const log = createLog('reconcile', 'silent')
  const config = readConfig(['DATABASE_URL', 'RPC_TIMEOUT_MS'])
  const connection = await connectChain(chain, {
    timeoutMs: config.RPC_TIMEOUT_MS,
    observe: { called: () => {}, refused: () => {} },
    log,
  })
  let code = 1
  try {
    await withDatabase(config.DATABASE_URL, async (db) => {
      const balancesOf = async () => (await connection.accounts()).balances
      const checked = await reconcileChain(
        { db, log, balancesOf, pauseMs: null, signal: new AbortController().signal },
        chain,
        'now',
      )
      if (!checked)
        throw new ConfigError(`another process compares ${name} now: try again when it has finished`)
      if (checked.problem !== null) {
        say(`${name} could not be compared: ${checked.problem}`)
        return
      }
      for (const drift of checked.drift) say(lineOf(chain, drift))
      say(
        `${name}: ${counted(checked.addresses, 'address', 'addresses')}, ${checked.drift.length === 0 ? 'no differences' : counted(checked.drift.length, 'difference')}`,
      )
      code = checked.drift.length === 0 ? 0 : 1
      if (await recoverSweeps(db, chain, checked, costs)) code = 0
    })
  } finally {
    await connection.close()
  }
  return code
})

/** @throws ConfigError */
function readCosts({ native }: ConfiguredChain, text: string): bigint {
  const amount = parseUnits(text.replace(/^-/, ''), native.decimals)
  if (amount === null)
    throw new ConfigError(`--recover: give the network costs in ${native.symbol}, such as 0.0021`)
  return text.startsWith('-') ? -amount : amount
}

/**
 * Books sweeps whose rows a restore has lost, or shows how.
 * @param costs null: only shows it
 * @returns true if they were booked
 */
async function recoverSweeps(
  db: Db,
  chain: ConfiguredChain,
  { id, drift }: Checked,
  costs: bigint | null,
): Promise<boolean> {
  const treasury = await treasuryAddress(db, chain.family)
  const lost = treasury === null ? null : lostSweeps(chain, treasury, drift)
  if (costs === null) {
    if (lost !== null && typeof lost !== 'string' && (await isRestored(db)))
      say(
        `these may be sweeps that the restored database has lost: npm run cowry -- reconcile ${chain.name} --recover=${formatUnits(lost.cost, chain.native.decimals)} books them`,
      )
    return false
  }
  if (lost === null)
    throw new ConfigError('there is nothing to recover: no deposit address has less than the books say')
  if (typeof lost === 'string') throw new ConfigError(`this cannot have been sweeps: ${lost}`)
  await bookLostSweeps({ db, actor }, chain, id, lost, costs)
  say(
    `booked: ${counted(lost.movements.length, 'movement')} to the treasury, and ${formatUnits(costs, chain.native.decimals)} ${chain.native.symbol} of network costs`,
  )
  return true
}

function lineOf(chain: ConfiguredChain, { address, symbol, expected, found }: ChainDrift): string {
  const decimals = assetsOf(chain).find((each) => each.symbol === symbol)?.decimals ?? 0
  const show = (amount: bigint) => `${formatUnits(amount, decimals)} ${symbol}`
  const where = address === null ? 'no address' : addressCodec(chain.family).display(address)
  return `${where}: the books say ${show(expected)}, the chain has ${show(found)}`
}
