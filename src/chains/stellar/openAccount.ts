import { Asset, BASE_FEE, Keypair, Operation, rpc, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import { formatUnits } from '../../money/amount.ts'
import { ConfigError } from '../../platform/config.ts'
import { ProviderError } from '../chain.ts'
import type { ConfiguredChain } from '../registry.ts'
import { assetOf } from './asset.ts'
import { accountKey, depositAccountPath } from './keyDeriver.ts'

export interface OpenedAccount {
  /** `G…` */
  account: string
  /** Whole XLM that are missing, and nothing was sent; null if it has enough. */
  missingReserve: string | null
  /** Assets that it accepts now. */
  trusted: string[]
  /** Of these, the ones that were added. */
  added: string[]
}

/**
 * Stellar docs, "Minimum balance": two base reserves for an account and one for each trustline; half a lumen
 * each.
 */
const baseReserve = 5_000_000n
/** Enough while the network is busy. */
const feePerOperation = BigInt(BASE_FEE) * 100n
const withinSeconds = 120
/** Between two polls of the transaction. */
const pollMs = 250

/**
 * Adds the trustlines of the chain's tokens to an account of the platform: without them it cannot receive
 * tokens.
 * @param path of its key: the account of all deposits, unless it is another one
 */
export async function openPlatformAccount(
  chain: Pick<ConfiguredChain, 'rpcUrls' | 'network' | 'tokens'>,
  seed: Uint8Array,
  path = depositAccountPath,
): Promise<OpenedAccount> {
  const [url] = chain.rpcUrls
  if (url === undefined) throw new ConfigError('stellar has no node: set STELLAR_RPC_URLS')
  const server = new rpc.Server(url, { allowHttp: url.startsWith('http:') })
  const pair = Keypair.fromRawEd25519Seed(Buffer.from(accountKey(seed, path).privateKey))
  const account = pair.publicKey()
  const assets = chain.tokens.map(({ contract }) => contract)
  const held = await entriesOf(server, account, assets)
  const missing = assets.filter((asset) => !held.trusted.includes(asset))
  const needed =
    (2n + BigInt(held.subEntries + missing.length)) * baseReserve + feePerOperation * BigInt(missing.length)
  if (held.balance === null || (missing.length > 0 && held.balance < needed)) {
    return {
      account,
      missingReserve: formatUnits(needed - (held.balance ?? 0n), 7),
      trusted: held.trusted,
      added: [],
    }
  }
  if (missing.length > 0) await trust(server, chain.network, pair, missing)
  return { account, missingReserve: null, trusted: assets, added: missing }
}

/** Balance in units of 10^-7 (null: the account does not exist), and the assets that it accepts. */
async function entriesOf(server: rpc.Server, account: string, assets: readonly string[]) {
  const accountId = Keypair.fromPublicKey(account).xdrPublicKey()
  const keys = [
    xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId })),
    ...assets.map((asset) =>
      xdr.LedgerKey.trustline(
        new xdr.LedgerKeyTrustLine({ accountId, asset: assetOf(asset).toTrustLineXDRObject() }),
      ),
    ),
  ]
  const { entries } = await server.getLedgerEntries(...keys)
  const found = entries.map(({ val }) => val)
  const own = found.find((entry) => entry.type === 'account')
  const lines = found.flatMap((entry) => (entry.type === 'trustline' ? [entry.trustLine] : []))
  return {
    balance: own?.type === 'account' ? own.account.balance : null,
    subEntries: own?.type === 'account' ? own.account.numSubEntries : 0,
    trusted: assets.filter((asset) =>
      lines.some((line) => Asset.fromOperation(line.asset as xdr.Asset).toString() === asset),
    ),
  }
}

/** Idempotent: an existing trustline is set to the same limit. */
async function trust(
  server: rpc.Server,
  network: string,
  pair: Keypair,
  assets: readonly string[],
): Promise<void> {
  const builder = new TransactionBuilder(await server.getAccount(pair.publicKey()), {
    fee: feePerOperation.toString(),
    networkPassphrase: network,
  })
  for (const asset of assets) builder.addOperation(Operation.changeTrust({ asset: assetOf(asset) }))
  const transaction = builder.setTimeout(withinSeconds).build()
  transaction.sign(pair)
  const { status, hash } = await server.sendTransaction(transaction)
  if (status === 'ERROR')
    throw new ProviderError(`the network refused the transaction ${hash} that adds the tokens`)
  const outcome = await server.pollTransaction(hash, {
    attempts: (withinSeconds * 1000) / pollMs,
    sleepStrategy: () => pollMs,
  })
  if (outcome.status !== 'SUCCESS')
    throw new ProviderError(`the transaction ${hash} that adds the tokens ended as ${outcome.status}`)
}
