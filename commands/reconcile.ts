import { formatUnits } from '../src/chains/amount.ts'
import { addressCodec } from '../src/chains/codecs.ts'
import { configuredChains } from '../src/chains/configuration.ts'
import { connectChain } from '../src/chains/connect.ts'
import { assetsOf, type ConfiguredChain } from '../src/chains/registry.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/log.ts'
import { runCommand } from '../src/platform/runCommand.ts'
import type { Drift } from '../src/reconciliation/context.ts'
import { reconcileChain } from '../src/reconciliation/reconcileChain.ts'
import { withDatabase } from './withDatabase.ts'

// npm run reconcile -- <chain>   compares the books with what the platform's addresses hold on a chain now
// Exit code 1: something does not agree, or could not be compared.

const say = (text: string) => process.stdout.write(`${text}\n`)
const usage = 'Usage: npm run reconcile -- <chain>'

await runCommand({ usage }, async ([name = '', ...more]) => {
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  const chain = chains.find((each) => each.name === name)
  if (!chain || more.length > 0) throw new ConfigError(name === '' || more.length > 0 ? usage : `${name} is not configured`)
  const log = createLog('reconcile', 'silent')
  const config = readConfig(['DATABASE_URL', 'RPC_TIMEOUT_MS'])
  const connection = await connectChain(chain, { timeoutMs: config.RPC_TIMEOUT_MS, observe: { called: () => {}, refused: () => {} }, log })
  let code = 1
  try {
    await withDatabase(config.DATABASE_URL, async (db) => {
      const balancesOf = async () => (await connection.accounts()).balances
      const checked = await reconcileChain({ db, log, balancesOf, pauseMs: null, signal: new AbortController().signal }, chain, 'now')
      if (!checked) throw new ConfigError(`another process compares ${name} now: try again when it has finished`)
      if (checked.problem !== null) {
        say(`${name} could not be compared: ${checked.problem}`)
        return
      }
      for (const drift of checked.drift) say(lineOf(chain, drift))
      say(`${name}: ${checked.addresses} addresses, ${checked.drift.length === 0 ? 'no differences' : `${checked.drift.length} differences`}`)
      code = checked.drift.length === 0 ? 0 : 1
    })
  } finally {
    await connection.close()
  }
  return code
})

function lineOf(chain: ConfiguredChain, { address, symbol, expected, found }: Drift): string {
  const decimals = assetsOf(chain).find((each) => each.symbol === symbol)?.decimals ?? 0
  const show = (amount: bigint) => `${formatUnits(amount, decimals)} ${symbol}`
  const where = address === null ? 'no address' : addressCodec(chain.family).display(address)
  return `${where}: the books say ${show(expected)}, the chain has ${show(found)}`
}
