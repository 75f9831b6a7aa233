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

/** A network under test, through its public clients: a devnet, or the one set in the environment. */
export interface TestNetwork {
  /** Null on a real network, which tests cannot control. */
  devnet: StellarDevnet | null
  rpc: rpc.Server
  horizon: Horizon.Server
  passphrase: string
  friendbotUrl: string
}

type Op = xdr.Operation

/** The sent transaction's hash and result. */
export type Outcome = Awaited<ReturnType<rpc.Server['getTransaction']>>

const { STELLAR_TEST_RPC_URL, STELLAR_TEST_HORIZON_URL, STELLAR_TEST_FRIENDBOT_URL } = process.env

const clients = (rpcUrl: string, horizonUrl: string) => ({
  rpc: new rpc.Server(rpcUrl, { allowHttp: true }),
  horizon: new Horizon.Server(horizonUrl, { allowHttp: true }),
})

/** A devnet, even if the environment sets a real network. */
export async function connectDevnet(
  options: Parameters<typeof startStellarDevnet>[0] = { blockMs: 0 },
): Promise<TestNetwork & { devnet: StellarDevnet }> {
  const devnet = await startStellarDevnet(options)
  return {
    devnet,
    ...clients(devnet.rpcUrl, devnet.horizonUrl),
    passphrase: devnet.networkPassphrase,
    friendbotUrl: devnet.friendbotUrl,
  }
}

export async function connect(): Promise<TestNetwork> {
  if (STELLAR_TEST_RPC_URL === undefined) return connectDevnet()
  const named = clients(STELLAR_TEST_RPC_URL, STELLAR_TEST_HORIZON_URL ?? '')
  const { passphrase, friendbotUrl = '' } = await named.rpc.getNetwork()
  return { devnet: null, ...named, passphrase, friendbotUrl: STELLAR_TEST_FRIENDBOT_URL ?? friendbotUrl }
}

/** An account with 10,000 lumens. */
export async function newAccount({ friendbotUrl }: TestNetwork): Promise<Keypair> {
  const key = Keypair.random()
  const response = await fetch(`${friendbotUrl}?addr=${key.publicKey()}`)
  if (!response.ok) throw new Error(`friendbot: ${response.status} ${await response.text()}`)
  return key
}

export interface Overrides {
  fee?: string
  memo?: Memo
  /** Unix seconds. */
  minTime?: number
  maxTime?: number
  /** Signers instead of the source. */
  signers?: Keypair[]
  /** Added to the next sequence number. */
  sequenceOff?: number
}

/** A signed transaction with the next sequence number. */
export async function prepare(
  network: TestNetwork,
  source: Keypair,
  operations: readonly Op[],
  overrides: Overrides = {},
): Promise<Transaction> {
  const account: Account = await network.rpc.getAccount(source.publicKey())
  for (let i = 0; i < (overrides.sequenceOff ?? 0); i++) account.incrementSequenceNumber()
  const builder = new TransactionBuilder(account, {
    fee: overrides.fee ?? '100',
    networkPassphrase: network.passphrase,
    timebounds: { minTime: overrides.minTime ?? 0, maxTime: overrides.maxTime ?? 0 },
    ...(overrides.memo ? { memo: overrides.memo } : {}),
  })
  for (const operation of operations) builder.addOperation(operation)
  const transaction = builder.build()
  for (const signer of overrides.signers ?? [source]) transaction.sign(signer)
  return transaction
}

/** Waits for the transaction in a ledger; on a devnet, closes one. */
export async function settle(network: TestNetwork, hash: string): Promise<Outcome> {
  await network.devnet?.control('mine')
  return waitFor(`transaction ${hash}`, async () => {
    const outcome = await network.rpc.getTransaction(hash)
    return outcome.status !== rpc.Api.GetTransactionStatus.NOT_FOUND && outcome
  })
}

/** Sends a transaction and waits for it. @throws if it is refused */
export async function send(
  network: TestNetwork,
  source: Keypair,
  operations: readonly Op[],
  overrides: Overrides = {},
): Promise<Outcome> {
  const transaction = await prepare(network, source, operations, overrides)
  const { status, hash, errorResult } = await network.rpc.sendTransaction(transaction)
  if (status !== 'PENDING') throw new Error(`${status} ${errorResult?.result.type ?? ''}`)
  return settle(network, hash)
}

/** A token with a holder of 1,000 units. */
export async function token(
  network: TestNetwork,
  code = 'USDC',
): Promise<{ asset: Asset; issuer: Keypair; holder: Keypair }> {
  const [issuer, holder] = [await newAccount(network), await newAccount(network)]
  const asset = new Asset(code, issuer.publicKey())
  await send(network, holder, [Operation.changeTrust({ asset })])
  await send(network, issuer, [Operation.payment({ destination: holder.publicKey(), asset, amount: '1000' })])
  return { asset, issuer, holder }
}

/** A new account with a trust line for an asset. */
export async function trustingAccount(network: TestNetwork, asset: Asset): Promise<Keypair> {
  const key = await newAccount(network)
  await send(network, key, [Operation.changeTrust({ asset })])
  return key
}

/** Balances by `native` or `CODE:ISSUER`, in units. */
export async function balances({ horizon }: TestNetwork, account: string): Promise<Record<string, string>> {
  const loaded = await horizon.loadAccount(account)
  return Object.fromEntries(
    loaded.balances.flatMap((line) => {
      if (line.asset_type === 'liquidity_pool_shares') return []
      return [
        [line.asset_type === 'native' ? 'native' : `${line.asset_code}:${line.asset_issuer}`, line.balance],
      ]
    }),
  )
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const hexOf = (hash: xdr.Hash): string => Buffer.from(hash.value).toString('hex')

/** Events of a transaction's operations: topics, then data, as plain values. */
export function eventsOf(outcome: Outcome): unknown[][] {
  if (outcome.status === 'NOT_FOUND') return []
  return outcome.events.contractEventsXdr
    .flat()
    .map(({ body }) => [...body.v0.topics.map((topic) => scValToNative(topic)), scValToNative(body.v0.data)])
}

/** Submits through Horizon. @returns the result codes of a failure */
export async function codes(
  network: TestNetwork,
  transaction: { toEnvelope(): xdr.TransactionEnvelope },
): Promise<unknown> {
  const body = new URLSearchParams({ tx: transaction.toEnvelope().toXdr('base64') })
  let answer: string | null = null
  const sent = fetch(`${network.horizon.serverURL.toString().replace(/\/$/, '')}/transactions`, {
    method: 'POST',
    body,
  })
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
