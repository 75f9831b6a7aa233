import { readFileSync } from 'node:fs'
import { base58 } from '@scure/base'
import { usdcOf } from '../src/bridge/burnOf.ts'
import type { Token } from '../src/chains/action.ts'
import { bridgeActions } from '../src/chains/bridgeActions.ts'
import { configuredChains } from '../src/chains/configuration.ts'
import { connectChain } from '../src/chains/connect.ts'
import { type ConfiguredChain, chainNames, registeredChain } from '../src/chains/registry.ts'
import { readKeypair } from '../src/chains/solana/keypair.ts'
import { type MintPeer, makeMintTable, mintTableAddresses } from '../src/chains/solana/send/mintTable.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'

export const run = program('lookup-table', async (words, { key }) => {
  if (key === undefined || words.length > 0) throw new UsageError()
  const pair = readKeypair(readFileSync(key, 'utf8').trim())
  if (!pair) throw new ConfigError(`${key} is not a key pair of Solana`)
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  const solana = chains.find(({ name }) => name === 'solana')
  const [cctp, token, [rpcUrl]] = [solana?.cctp, solana && usdcOf(solana), solana?.rpcUrls ?? []]
  if (!solana || !cctp || !token || rpcUrl === undefined)
    throw new ConfigError('SOLANA_RPC_URLS names no node')
  const addresses = mintTableAddresses(
    cctp,
    token.contract,
    await feeAccountOf(solana, token),
    await peersOf(chains),
  )
  const secretKey = Uint8Array.from([...pair.seed, ...base58.decode(pair.address)])
  const table = await makeMintTable(rpcUrl, secretKey, addresses)
  process.stdout.write(`SOLANA_CCTP_LOOKUP_TABLE=${table}\n`)
})

/** Every chain with a bridge, also those that are not configured here: the table cannot change later. */
async function peersOf(configured: readonly ConfiguredChain[]): Promise<MintPeer[]> {
  const peers: MintPeer[] = []
  for (const name of chainNames.filter((each) => each !== 'solana')) {
    const chain = configured.find((each) => each.name === name) ?? registeredChain(name)
    const [actions, token] = [await bridgeActions(chain), usdcOf(chain)]
    if (actions && token && chain.cctp)
      peers.push({ domain: chain.cctp.domain, token: actions.wordOf(token.contract) })
  }
  return peers
}

async function feeAccountOf(solana: ConfiguredChain, token: Token): Promise<string> {
  const { RPC_TIMEOUT_MS: timeoutMs } = readConfig(['RPC_TIMEOUT_MS'])
  const observe = { called: () => {}, refused: () => {} }
  const connection = await connectChain(solana, {
    timeoutMs,
    observe,
    log: createLog('lookup-table', 'silent'),
  })
  try {
    const account = await (await connection.accounts()).bridge?.feeAccount?.(token)
    if (account === undefined) throw new Error('the bridge of solana has no account for fees')
    return account
  } finally {
    await connection.close()
  }
}
