import {
  type Account,
  Asset,
  Horizon,
  Keypair,
  type Memo,
  Operation,
  rpc,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk'
import { waitFor } from '../../support/waitFor.ts'
import { type StellarDevnet, startStellarDevnet } from '../stellar.ts'

/** A network under test by its public clients: a devnet, or the one that the environment names. */
export interface TestNetwork {
  /** Null on a real network, which nobody controls. */
  devnet: StellarDevnet | null
  rpc: rpc.Server
  horizon: Horizon.Server
  passphrase: string
  friendbotUrl: string
}

type Op = xdr.Operation

/** The sent transaction's hash and what became of it. */
export type Outcome = Awaited<ReturnType<rpc.Server['getTransaction']>>

const { STELLAR_TEST_RPC_URL, STELLAR_TEST_HORIZON_URL, STELLAR_TEST_FRIENDBOT_URL } = process.env

/** Whether the environment names a real network. */
export const onRealNetwork = STELLAR_TEST_RPC_URL !== undefined

export async function connect(): Promise<TestNetwork> {
  const devnet = onRealNetwork ? null : await startStellarDevnet({ blockMs: 0 })
  const server = new rpc.Server(devnet?.rpcUrl ?? STELLAR_TEST_RPC_URL ?? '', { allowHttp: true })
  const horizon = new Horizon.Server(devnet?.horizonUrl ?? STELLAR_TEST_HORIZON_URL ?? '', { allowHttp: true })
  const { passphrase, friendbotUrl = '' } = await server.getNetwork()
  return { devnet, rpc: server, horizon, passphrase, friendbotUrl: STELLAR_TEST_FRIENDBOT_URL ?? friendbotUrl }
}

/** An account with 10,000 lumens. */
export async function newcomer({ friendbotUrl }: TestNetwork): Promise<Keypair> {
  const key = Keypair.random()
  const response = await fetch(`${friendbotUrl}?addr=${key.publicKey()}`)
  if (!response.ok) throw new Error(`friendbot: ${response.status} ${await response.text()}`)
  return key
}

export interface Wish {
  fee?: string
  memo?: Memo
  /** Unix seconds. */
  minTime?: number
  maxTime?: number
  /** Who signs, if not the source. */
  signers?: Keypair[]
  /** Added to the right sequence number. */
  sequenceOff?: number
}

/** A signed transaction that is due next. */
export async function prepare(network: TestNetwork, source: Keypair, operations: readonly Op[], wish: Wish = {}): Promise<Transaction> {
  const account: Account = await network.rpc.getAccount(source.publicKey())
  for (let i = 0; i < (wish.sequenceOff ?? 0); i++) account.incrementSequenceNumber()
  const builder = new TransactionBuilder(account, {
    fee: wish.fee ?? '100',
    networkPassphrase: network.passphrase,
    timebounds: { minTime: wish.minTime ?? 0, maxTime: wish.maxTime ?? 0 },
    ...(wish.memo ? { memo: wish.memo } : {}),
  })
  for (const operation of operations) builder.addOperation(operation)
  const transaction = builder.build()
  for (const signer of wish.signers ?? [source]) transaction.sign(signer)
  return transaction
}

/** The next ledger: made where that can be asked for, waited for elsewhere. */
export async function settle(network: TestNetwork, hash: string): Promise<Outcome> {
  await network.devnet?.control('mine')
  return waitFor(`transaction ${hash}`, async () => {
    const outcome = await network.rpc.getTransaction(hash)
    return outcome.status !== rpc.Api.GetTransactionStatus.NOT_FOUND && outcome
  })
}

/** Sends and waits. @throws when it is not taken */
export async function send(network: TestNetwork, source: Keypair, operations: readonly Op[], wish: Wish = {}): Promise<Outcome> {
  const transaction = await prepare(network, source, operations, wish)
  const { status, hash, errorResult } = await network.rpc.sendTransaction(transaction)
  if (status !== 'PENDING') throw new Error(`${status} ${errorResult?.result.type ?? ''}`)
  return settle(network, hash)
}

/** A token with a holder who has 1,000 of it. */
export async function token(network: TestNetwork, code = 'USDC'): Promise<{ asset: Asset; issuer: Keypair; holder: Keypair }> {
  const [issuer, holder] = [await newcomer(network), await newcomer(network)]
  const asset = new Asset(code, issuer.publicKey())
  await send(network, holder, [Operation.changeTrust({ asset })])
  await send(network, issuer, [Operation.payment({ destination: holder.publicKey(), asset, amount: '1000' })])
  return { asset, issuer, holder }
}

/** A newcomer who may hold an asset. */
export async function truster(network: TestNetwork, asset: Asset): Promise<Keypair> {
  const key = await newcomer(network)
  await send(network, key, [Operation.changeTrust({ asset })])
  return key
}

/** By `native` or `CODE:ISSUER`, in units. */
export async function balances({ horizon }: TestNetwork, account: string): Promise<Record<string, string>> {
  const loaded = await horizon.loadAccount(account)
  return Object.fromEntries(
    loaded.balances.flatMap((line) => {
      if (line.asset_type === 'liquidity_pool_shares') return []
      return [[line.asset_type === 'native' ? 'native' : `${line.asset_code}:${line.asset_issuer}`, line.balance]]
    }),
  )
}
