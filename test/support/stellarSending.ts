import { Asset, Keypair, Operation, type xdr } from '@stellar/stellar-sdk'
import type { TransferSpec } from '../../src/chains/action.ts'
import type { Memo } from '../../src/chains/chain.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { connectChain } from '../../src/chains/connect.ts'
import type { Outcome, SentTransaction, SignedTransaction, Terms } from '../../src/chains/sending.ts'
import { stellarTransferBuilder } from '../../src/chains/stellar/transferBuilder.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { balances, connectDevnet, newAccount, send } from '../devnets/stellar/testNetwork.ts'
import { stellarDevnetEnv } from '../devnets/stellar.ts'

/** Base units of one. */
export const one = 10_000_000n
const timeoutMs = 20_000

/**
 * A devnet whose ledgers close on request, and Cowry's connection to it by two providers, `first` and
 * `second`.
 */
export async function openStellarSending() {
  const network = await connectDevnet()
  const { devnet } = network
  const env = {
    ...stellarDevnetEnv(devnet),
    STELLAR_RPC_URLS: ['first', 'second'].map((face) => devnet.faceUrls(face).rpcUrl).join(),
  }
  const { chains, mistakes } = configuredChains(env)
  const [chain] = chains
  if (!chain || mistakes.length > 0) throw new Error(mistakes.join())
  const connection = await connectChain(chain, {
    timeoutMs,
    observe: { called: () => {}, refused: () => {} },
    log: createLog('test', 'silent'),
  })
  const { sender, balances: reader } = await connection.accounts()
  const builder = stellarTransferBuilder(chain)
  const usdc = { contract: devnet.usdc, symbol: 'USDC', decimals: 7 }
  const usdt = { contract: devnet.usdt, symbol: 'USDT', decimals: 7 }
  const assetOf = (contract: string) => new Asset(...(contract.split(':') as [string, string]))

  interface Wish {
    token?: TransferSpec['token']
    memo?: Memo | null
  }
  const intentOf = (
    from: Keypair,
    to: string,
    amount: bigint,
    { token = null, memo = null }: Wish = {},
  ): TransferSpec => {
    return {
      kind: 'transfer',
      from: from.publicKey(),
      to,
      token,
      amount,
      memo,
      gasPrice: null,
      gasLimit: null,
    }
  }
  /**
   * Signed and ready to be sent, by default on the chain's terms and at its next sequence, or `behind` it.
   */
  async function prepared(
    from: Keypair,
    transfer: TransferSpec,
    { behind = 0n, other = {} }: { behind?: bigint; other?: Terms } = {},
  ) {
    const { terms } = await sender.plan(transfer)
    const sequence = ((await sender.nextNonce?.(transfer.from)) ?? 0n) + behind
    const signed = builder.sign(transfer, { ...terms, ...other }, sequence, [new Secret(from.secret())])
    return { signed, sent: { txId: signed.txId, nonce: sequence, expiry: signed.expiry } }
  }
  async function done(
    from: Keypair,
    operations: readonly xdr.Operation[],
    signers: Keypair[],
  ): Promise<void> {
    const { status } = await send(network, from, operations, { signers })
    if (status !== 'SUCCESS') throw new Error(`its status is ${status}`)
  }
  return {
    network,
    chain,
    connection,
    sender,
    builder,
    reader,
    usdc,
    usdt,
    assetOf,
    faucet: Keypair.fromSecret(devnet.faucetPrivateKey),
    intentOf,
    prepared,
    /** An account with 10,000 lumens, and with this much of each token. */
    async holder(...tokens: { contract: string; amount?: string }[]): Promise<Keypair> {
      const key = await newAccount(network)
      for (const { contract, amount } of tokens) {
        const asset = assetOf(contract)
        await send(network, key, [Operation.changeTrust({ asset })])
        if (amount)
          await send(network, Keypair.fromSecret(devnet.faucetPrivateKey), [
            Operation.payment({ destination: key.publicKey(), asset, amount }),
          ])
      }
      return key
    },
    /** Sends by the chain's own library, and closes the ledger. @throws if it failed */
    does: (from: Keypair, ...operations: xdr.Operation[]) => done(from, operations, [from]),
    /** The same, signed by others too. */
    together: (from: Keypair, others: readonly Keypair[], ...operations: xdr.Operation[]) =>
      done(from, operations, [from, ...others]),
    balances: (account: string) => balances(network, account),
    mine: (time?: number) =>
      devnet.control<{ height: number; ids: string[] }>('mine', time === undefined ? {} : { time }),
    misbehave: (face: string, flags: object) =>
      devnet
        .control('misbehave', { face, clear: true })
        .then(() => devnet.control('misbehave', { face, ...flags })),
    outcome: (from: Keypair, ...sent: SentTransaction[]): Promise<Outcome> =>
      sender.outcome(from.publicKey(), sent),
    broadcast: (signed: SignedTransaction) => sender.broadcast(signed),
    async close() {
      await connection.close()
      await devnet.stop()
    },
  }
}

export type StellarSending = Awaited<ReturnType<typeof openStellarSending>>
