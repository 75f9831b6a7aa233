import { getAccount, getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Connection, PublicKey } from '@solana/web3.js'
import { Asset, Horizon, Operation, type xdr } from '@stellar/stellar-sdk'
import { formatUnits, parseUnits } from 'viem'
import type { ChainAccounts } from '../../src/chains/chainAccounts.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { connectChain } from '../../src/chains/connect.ts'
import type { ConfiguredChain } from '../../src/chains/registry.ts'
import { openPlatformAccount } from '../../src/chains/stellar/openAccount.ts'
import { tronAddress } from '../../src/chains/tron/address.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { payOnSolana, sendSol } from '../devnets/customers/solana.ts'
import { assetOf, sendOnStellar } from '../devnets/customers/stellar.ts'
import { payOnTron, sendTrx } from '../devnets/customers/tron.ts'
import { type SolanaDevnet, solanaDevnetEnv, startSolanaDevnet } from '../devnets/solana.ts'
import { type StellarDevnet, startStellarDevnet, stellarDevnetEnv } from '../devnets/stellar.ts'
import { balanceOf, usdtOf } from '../devnets/tron/harness.ts'
import { startTronDevnet, type TronDevnet, tronDevnetEnv } from '../devnets/tron.ts'
import { waitFor } from './waitFor.ts'

/** A devnet with what Cowry reads and sends by, and payments and balances by the chain's own libraries. */
export interface FamilyNode {
  chain: ConfiguredChain
  /** Variables that make Cowry read it. */
  env: Record<string, string>
  accounts: ChainAccounts
  /**
   * Base units, from the faucet, in a block. @param contract null for the native coin @returns the
   * transaction's id
   */
  pay(address: string, contract: string | null, amount: bigint): Promise<string>
  held(address: string, contract: string | null): Promise<bigint>
  /** Blocks until what was sent is final. */
  finish(): Promise<void>
  mine(): Promise<void>
  control<T>(action: string, params?: object): Promise<T>
  close(): Promise<void>
}

const finalAfter = 3

async function opened(env: Record<string, string>) {
  const { chains, mistakes } = configuredChains(env)
  const [chain] = chains
  if (!chain || mistakes.length > 0) throw new Error(mistakes.join())
  const observe = { called: () => {}, refused: () => {} }
  const connection = await connectChain(chain, {
    timeoutMs: 20_000,
    observe,
    log: createLog('test', 'silent'),
  })
  return { chain, env, accounts: await connection.accounts(), close: () => connection.close() }
}

export async function solanaNode(): Promise<FamilyNode & { devnet: SolanaDevnet; connection: Connection }> {
  const devnet = await startSolanaDevnet({ blockMs: 0, finalizedDepth: finalAfter })
  const { close, ...node } = await opened(solanaDevnetEnv(devnet))
  const purse = { rpcUrl: devnet.rpcUrl, faucetPrivateKey: devnet.faucetPrivateKey }
  const connection = new Connection(devnet.rpcUrl, 'confirmed')
  const mine = async (count = 1) => void (await devnet.control('mine', { count }))
  return {
    ...node,
    devnet,
    connection,
    async pay(address, contract, amount) {
      const order = { address, token: contract ?? '', amount: amount.toString(), decimals: 0 }
      const txId = await (contract === null
        ? sendSol(purse, address, amount)
        : payOnSolana(purse, { ...order, ...inSixDecimals(amount) }))
      await mine()
      return txId
    },
    async held(address, contract) {
      if (contract === null) return BigInt(await connection.getBalance(new PublicKey(address)))
      const account = getAssociatedTokenAddressSync(new PublicKey(contract), new PublicKey(address))
      return (await connection.getAccountInfo(account)) === null
        ? 0n
        : (await getAccount(connection, account)).amount
    },
    mine,
    finish: () => mine(finalAfter + 1),
    control: devnet.control,
    async close() {
      await close()
      await devnet.stop()
    },
  }
}

export async function tronNode(): Promise<FamilyNode & { devnet: TronDevnet }> {
  const devnet = await startTronDevnet({ blockMs: 0, solidifiedDepth: finalAfter })
  const { close, ...node } = await opened(tronDevnetEnv(devnet))
  const purse = { rpcUrl: devnet.rpcUrl, faucetPrivateKey: devnet.faucetPrivateKey }
  const mine = async (count = 1) => void (await devnet.control('mine', { count }))
  const shown = (address: string) => tronAddress.display(address)
  return {
    ...node,
    devnet,
    async pay(address, contract, amount) {
      const to = shown(address)
      const txId = await (contract === null
        ? sendTrx(purse, to, Number(amount))
        : payOnTron(purse, { address: to, token: shown(contract), ...inSixDecimals(amount) }))
      await mine()
      return txId
    },
    held: async (address, contract) =>
      contract === null
        ? BigInt(await balanceOf(devnet.rpcUrl, shown(address)))
        : usdtOf(devnet.rpcUrl, shown(contract), shown(address)),
    mine,
    finish: () => mine(finalAfter + 1),
    control: devnet.control,
    async close() {
      await close()
      await devnet.stop()
    },
  }
}

/** Its ledgers close by themselves. The account that receives deposits exists, and takes the tokens. */
export async function stellarNode(seed: Uint8Array): Promise<FamilyNode & { devnet: StellarDevnet }> {
  const devnet = await startStellarDevnet({ blockMs: 100 })
  const { close, ...node } = await opened(stellarDevnetEnv(devnet))
  const horizon = new Horizon.Server(devnet.horizonUrl, { allowHttp: true })
  const included = (hash: string) =>
    waitFor(`ledger of ${hash}`, async () => {
      const found = await horizon
        .transactions()
        .transaction(hash)
        .call()
        .catch(() => null)
      return found?.successful ?? null
    })
  const send = async (...operations: xdr.Operation[]): Promise<string> => {
    const hash = await sendOnStellar(devnet, operations)
    if (!(await included(hash))) throw new Error(`${hash} failed`)
    return hash
  }
  const { account } = await openPlatformAccount(node.chain, seed)
  await send(Operation.createAccount({ destination: account, startingBalance: '100' }))
  await openPlatformAccount(node.chain, seed)
  return {
    ...node,
    devnet,
    pay: (address, contract, amount) =>
      send(
        Operation.payment({
          destination: address,
          asset: contract === null ? Asset.native() : assetOf(contract),
          amount: formatUnits(amount, 7),
        }),
      ),
    async held(address, contract) {
      const { balances } = await horizon.loadAccount(address)
      const line = balances.find((each) =>
        contract === null
          ? each.asset_type === 'native'
          : 'asset_issuer' in each && `${each.asset_code}:${each.asset_issuer}` === contract,
      )
      return parseUnits(line?.balance ?? '0', 7)
    },
    mine: async () => {},
    finish: async () => {},
    control: devnet.control,
    async close() {
      await close()
      await devnet.stop()
    },
  }
}

/** As a customer reads it: all tokens of the devnets of Solana and Tron have six decimals. */
const inSixDecimals = (amount: bigint) => ({
  amount: `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, '0')}`,
  decimals: 6,
})
