import { test } from '@jest/globals'
import { base58 } from '@scure/base'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  Connection,
  Keypair,
  PublicKey,
  type Signer,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import { waitFor } from '../../support/waitFor.ts'
import { type SolanaDevnet, startSolanaDevnet } from '../solana.ts'

/** A suite's access to a chain: a devnet or a public test network. */
export interface TestChain {
  connection: Connection
  faucet: Keypair
  usdc: PublicKey
  /** Null on a public network, which makes blocks by itself. */
  devnet: SolanaDevnet | null
  /** Resolves when the transaction is confirmed. */
  settle(signature: string): Promise<void>
  close(): Promise<void>
}

const { SOLANA_TESTNET_RPC_URL, SOLANA_TESTNET_WS_URL, SOLANA_TESTNET_KEY, SOLANA_TESTNET_USDC } = process.env

/**
 * Registers a test that needs the devnet; on a public network, nothing: a skipped test would appear as a gap.
 */
export const testOnDevnet = (name: string, run: () => Promise<void>): void => {
  if (SOLANA_TESTNET_RPC_URL === undefined) test(name, run)
}

/**
 * A new devnet; or a public test network if SOLANA_TESTNET_RPC_URL is set, with SOLANA_TESTNET_WS_URL
 * (optional), SOLANA_TESTNET_KEY (base58 of 64 bytes, with some SOL) and SOLANA_TESTNET_USDC (a mint with 6
 * decimals that the key holds).
 */
export async function openTestChain(): Promise<TestChain> {
  if (SOLANA_TESTNET_RPC_URL === undefined)
    return devnetChain(await startSolanaDevnet({ blockMs: 0, finalizedDepth: 4 }))
  const wsEndpoint = SOLANA_TESTNET_WS_URL === undefined ? {} : { wsEndpoint: SOLANA_TESTNET_WS_URL }
  const connection = new Connection(SOLANA_TESTNET_RPC_URL, { commitment: 'confirmed', ...wsEndpoint })
  return {
    connection,
    faucet: Keypair.fromSecretKey(base58.decode(SOLANA_TESTNET_KEY ?? '')),
    usdc: new PublicKey(SOLANA_TESTNET_USDC ?? ''),
    devnet: null,
    settle: async (signature) => {
      const isConfirmed = async () =>
        ['confirmed', 'finalized'].includes(
          (await connection.getSignatureStatus(signature)).value?.confirmationStatus ?? '',
        )
      await waitFor(signature, isConfirmed, 60_000)
    },
    close: async () => {},
  }
}

export function devnetChain(devnet: SolanaDevnet): TestChain {
  return {
    connection: new Connection(devnet.rpcUrl, { commitment: 'confirmed', wsEndpoint: devnet.wsUrl }),
    faucet: Keypair.fromSecretKey(base58.decode(devnet.faucetPrivateKey)),
    usdc: new PublicKey(devnet.usdc),
    devnet,
    settle: async () => void (await devnet.control('mine')),
    close: async () => {
      // web3.js closes an idle socket after half a second; when the server closes it, web3.js reconnects
      // forever.
      await waitFor(
        'web3.js to close its socket',
        async () => (await devnet.control<{ sockets: number }>('status')).sockets === 0,
      )
      await devnet.stop()
    },
  }
}

/** Signed by the faucet (the fee payer) and by `signers`. */
export async function signed(
  { connection, faucet }: Pick<TestChain, 'connection' | 'faucet'>,
  instructions: readonly TransactionInstruction[],
  signers: readonly Signer[] = [],
) {
  const transaction = new Transaction({
    feePayer: faucet.publicKey,
    ...(await connection.getLatestBlockhash()),
  }).add(...instructions)
  transaction.sign(faucet, ...signers)
  return transaction
}

/** Sends and settles. @returns the signature */
export async function send(
  chain: TestChain,
  instructions: readonly TransactionInstruction[],
  signers: readonly Signer[] = [],
  skipPreflight = false,
) {
  const transaction = await signed(chain, instructions, signers)
  const signature = await chain.connection.sendRawTransaction(transaction.serialize(), {
    skipPreflight,
    preflightCommitment: 'confirmed',
  })
  await chain.settle(signature)
  return signature
}

export const pay = ({ faucet }: TestChain, to: PublicKey, lamports: number): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: faucet.publicKey, toPubkey: to, lamports })

/** To `owner`'s associated account, created if missing. */
export function payToken(
  { faucet }: TestChain,
  owner: PublicKey,
  mint: PublicKey,
  amount: bigint,
  program = TOKEN_PROGRAM_ID,
): TransactionInstruction[] {
  const from = getAssociatedTokenAddressSync(mint, faucet.publicKey, false, program)
  const to = getAssociatedTokenAddressSync(mint, owner, false, program)
  return [
    createAssociatedTokenAccountIdempotentInstruction(faucet.publicKey, to, owner, mint, program),
    createTransferCheckedInstruction(from, mint, to, faucet.publicKey, amount, 6, [], program),
  ]
}

/** One plain call: result or error as the node returned it. */
export async function rpc(url: string, method: string, params: readonly unknown[] = []) {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const text = await response.text()
  const answer = (response.status === 200 ? JSON.parse(text) : {}) as {
    result?: unknown
    error?: { code: number; message: string; data?: unknown }
  }
  return { status: response.status, headers: response.headers, ...answer }
}
