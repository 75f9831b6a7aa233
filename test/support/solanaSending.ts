import { base58 } from '@scure/base'
import type { TransactionInstruction } from '@solana/web3.js'
import { type Connection, Keypair, PublicKey } from '@solana/web3.js'
import type { TransferSpec } from '../../src/chains/action.ts'
import { type JsonRpc, openJsonRpc } from '../../src/chains/providers/jsonRpc.ts'
import { createProviders, type Gate, type Providers } from '../../src/chains/providers/providers.ts'
import type { ActionPlan, ActionSender, SignedTransaction } from '../../src/chains/sending.ts'
import type { SolanaSenderContext } from '../../src/chains/solana/send/senderContext.ts'
import { solanaTransferBuilder } from '../../src/chains/solana/send/transferBuilder.ts'
import { solanaTransferSender } from '../../src/chains/solana/send/transferSender.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { send as sendFrom, sendSol } from '../devnets/customers/solana.ts'
import { devnetChain, payToken } from '../devnets/solana/testWallet.ts'
import { type SolanaDevnet, startSolanaDevnet } from '../devnets/solana.ts'

/** A devnet and senders on it. Blocks come only on request; four on top of a block make it final. */
export interface SolanaSending {
  devnet: SolanaDevnet
  connection: Connection
  faucet: Keypair
  /** By the honest node. */
  sender: ActionSender
  ctx: SolanaSenderContext
  /** By these faces of the devnet, in their order. */
  through(...faces: string[]): SolanaSenderContext
  /** By the honest node, with other answers for these methods. */
  answering(answers: Readonly<Record<string, unknown>>): SolanaSenderContext
  /** The same node, and the honest one after it or before it, which may have other answers too. */
  withLiar(
    answers: Readonly<Record<string, unknown>>,
    place: 'first' | 'last' | 'alone',
    others?: Readonly<Record<string, unknown>>,
  ): SolanaSenderContext
  mine(count?: number): Promise<void>
  /** A new wallet with this amount. */
  wallet(lamports: bigint): Promise<Keypair>
  /** Sends from the faucet, in a block of their own. @returns the signature */
  make(instructions: readonly TransactionInstruction[], signers?: readonly Keypair[]): Promise<string>
  /** Instructions of the faucet that give `owner` this amount of a token. */
  tokens(owner: PublicKey, mint: string, amount: bigint, program?: PublicKey): TransactionInstruction[]
  lamportsOf(address: string | PublicKey): Promise<bigint>
  close(): Promise<void>
}

export const finalAfter = 4
const timeoutMs = 20_000
export const builder = solanaTransferBuilder()

export async function startSolanaSending(): Promise<SolanaSending> {
  const devnet = await startSolanaDevnet({ blockMs: 0, finalizedDepth: finalAfter })
  const wallet = devnetChain(devnet)
  const { connection, faucet } = wallet
  const opened: Providers<JsonRpc>[] = []
  const by = (open: readonly ((gate: Gate) => JsonRpc)[]): SolanaSenderContext => {
    const providers = createProviders(open, { observe: { called: () => {}, refused: () => {} } })
    opened.push(providers)
    const tokens = [
      { symbol: 'USDC' as const, contract: devnet.usdc, decimals: 6 },
      { symbol: 'USDT' as const, contract: devnet.usdt, decimals: 6 },
    ]
    return {
      providers,
      chain: { tokens, native: { symbol: 'SOL', decimals: 9 }, byFinalizedTag: true, confirmations: 32 },
    }
  }
  const at = (...urls: string[]) =>
    by(urls.map((url, index) => (gate) => openJsonRpc(url, timeoutMs, gate, `node ${index}`)))
  const liar =
    (answers: Readonly<Record<string, unknown>>, name = 'liar') =>
    (gate: Gate) => {
      const rpc = openJsonRpc(devnet.rpcUrl, timeoutMs, gate, name)
      return {
        ...rpc,
        call: async (method: string, params: unknown[]) =>
          method in answers ? answers[method] : rpc.call(method, params),
      }
    }
  const ctx = at(devnet.rpcUrl)
  const mine = async (count = 1) => void (await devnet.control('mine', { count }))
  const purse = { rpcUrl: devnet.rpcUrl, faucetPrivateKey: devnet.faucetPrivateKey }
  return {
    devnet,
    connection,
    faucet,
    ctx,
    sender: solanaTransferSender(ctx),
    through: (...faces) => at(...faces.map((name) => devnet.face(name).rpcUrl)),
    answering: (answers) => by([liar(answers)]),
    withLiar(answers, place, others = {}) {
      const honest = liar(others, 'honest')
      if (place === 'alone') return by([liar(answers)])
      return by(place === 'first' ? [liar(answers), honest] : [honest, liar(answers)])
    },
    mine,
    async wallet(lamports) {
      const made = Keypair.generate()
      await sendSol(purse, made.publicKey.toBase58(), lamports)
      await mine()
      return made
    },
    async make(instructions, signers = []) {
      const signature = await sendFrom(purse, instructions, { signers })
      await mine()
      return signature
    },
    tokens: (owner, mint, amount, program) => payToken(wallet, owner, new PublicKey(mint), amount, program),
    lamportsOf: async (address) => BigInt(await connection.getBalance(new PublicKey(address), 'confirmed')),
    async close() {
      await Promise.all(opened.map((providers) => providers.close()))
      await devnet.stop()
    },
  }
}

export const newAddress = (): string => Keypair.generate().publicKey.toBase58()
export const privateKeyOf = (pair: Keypair): Secret => new Secret(base58.encode(pair.secretKey))

/** A transfer of SOL. */
export const sol = (from: Keypair, to: string, amount: bigint): TransferSpec => ({
  kind: 'transfer',
  from: from.publicKey.toBase58(),
  to,
  token: null,
  amount,
  memo: null,
  gasPrice: null,
  gasLimit: null,
})

/** A transfer of a token of six decimals. */
export const token = (
  from: Keypair,
  to: string,
  amount: bigint,
  contract: string,
  symbol = 'USDC',
): TransferSpec => ({
  ...sol(from, to, amount),
  token: { contract, symbol, decimals: 6 },
})

/** Plans and signs. */
export async function signed(
  sender: ActionSender,
  from: Keypair,
  transfer: TransferSpec,
): Promise<{ plan: ActionPlan; transaction: SignedTransaction }> {
  const plan = await sender.plan(transfer)
  return { plan, transaction: builder.sign(transfer, plan.terms, null, [privateKeyOf(from)]) }
}

export const sent = ({ txId, expiry }: SignedTransaction) => ({ txId, nonce: null, expiry })
