import { createHash } from 'node:crypto'
import {
  type Account,
  Asset,
  Horizon,
  Keypair,
  type Memo,
  Operation,
  rpc,
  scValToNative,
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

const clients = (rpcUrl: string, horizonUrl: string) => ({
  rpc: new rpc.Server(rpcUrl, { allowHttp: true }),
  horizon: new Horizon.Server(horizonUrl, { allowHttp: true }),
})

/** A devnet, also where the environment names a real network. */
export async function connectDevnet(
  options: Parameters<typeof startStellarDevnet>[0] = { blockMs: 0 },
): Promise<TestNetwork & { devnet: StellarDevnet }> {
  const devnet = await startStellarDevnet(options)
  return { devnet, ...clients(devnet.rpcUrl, devnet.horizonUrl), passphrase: devnet.networkPassphrase, friendbotUrl: devnet.friendbotUrl }
}

export async function connect(): Promise<TestNetwork> {
  if (STELLAR_TEST_RPC_URL === undefined) return connectDevnet()
  const named = clients(STELLAR_TEST_RPC_URL, STELLAR_TEST_HORIZON_URL ?? '')
  const { passphrase, friendbotUrl = '' } = await named.rpc.getNetwork()
  return { devnet: null, ...named, passphrase, friendbotUrl: STELLAR_TEST_FRIENDBOT_URL ?? friendbotUrl }
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

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const hexOf = (hash: xdr.Hash): string => Buffer.from(hash.value).toString('hex')

/** The events of a transaction's operations: of each its topics, then its data, as plain values. */
export function told(outcome: Outcome): unknown[][] {
  if (outcome.status === 'NOT_FOUND') return []
  return outcome.events.contractEventsXdr
    .flat()
    .map(({ body }) => [...body.v0.topics.map((topic) => scValToNative(topic)), scValToNative(body.v0.data)])
}

/** Sends by Horizon, and the codes that it explains a failure with. */
export async function codes(network: TestNetwork, transaction: { toEnvelope(): xdr.TransactionEnvelope }): Promise<unknown> {
  const body = new URLSearchParams({ tx: transaction.toEnvelope().toXdr('base64') })
  let answer: string | null = null
  const sent = fetch(`${network.horizon.serverURL.toString().replace(/\/$/, '')}/transactions`, { method: 'POST', body })
  void sent.then(async (response) => {
    answer = await response.text()
  })
  const text = await waitFor('an answer of Horizon', async () => {
    await network.devnet?.control('mine')
    return answer
  })
  const { extras } = JSON.parse(text) as { extras?: { result_codes: unknown } }
  return extras?.result_codes
}
