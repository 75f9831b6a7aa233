import { base58 } from '@scure/base'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { Operation } from '@stellar/stellar-sdk'
import { baseUnits } from '../devnets/customers/order.ts'
import { send } from '../devnets/customers/solana.ts'
import { assetOf, sendOnStellar } from '../devnets/customers/stellar.ts'
import { callOnTron } from '../devnets/customers/tron.ts'
import type { OtherChainName } from '../support/otherDevnets.ts'
import type { SessionBody, Stack } from '../support/stack.ts'

/** Pays several sessions at once, through the chain's own public library. Mines no block. */
export type PayTogether = (stack: Stack, sessions: readonly SessionBody[]) => Promise<unknown>

/**
 * Solana transactions have at most 1232 bytes (Solana docs, "Transactions"); a transfer with its account
 * takes about 100.
 */
const perSolanaTransaction = 7
const decimals = 6

export const payTogether: Record<OtherChainName, PayTogether> = {
  /** Several transfers in a transaction, each to an associated account that is created first. */
  async solana(stack, sessions) {
    const devnet = stack.other('solana')
    const mint = new PublicKey(devnet.usdc)
    const payer = Keypair.fromSecretKey(base58.decode(devnet.faucetPrivateKey)).publicKey
    const from = getAssociatedTokenAddressSync(mint, payer)
    for (let at = 0; at < sessions.length; at += perSolanaTransaction) {
      const instructions = sessions
        .slice(at, at + perSolanaTransaction)
        .flatMap(({ address, amountExpected }) => {
          const owner = new PublicKey(address)
          const to = getAssociatedTokenAddressSync(mint, owner)
          return [
            createAssociatedTokenAccountIdempotentInstruction(payer, to, owner, mint),
            createTransferCheckedInstruction(
              from,
              mint,
              to,
              payer,
              baseUnits(amountExpected, decimals),
              decimals,
            ),
          ]
        })
      await send(devnet, instructions)
    }
  },

  /**
   * One contract call pays all but the last session: one transaction with one log each. The last one is paid
   * separately.
   */
  async tron(stack, sessions) {
    const devnet = stack.other('tron')
    const [together, last] = [sessions.slice(0, -1), sessions.at(-1)]
    if (together.length > 0)
      await callOnTron(devnet, devnet.batch, 'send(address,address[],uint256[])', [
        { type: 'address', value: devnet.usdt },
        { type: 'address[]', value: together.map(({ address }) => address) },
        {
          type: 'uint256[]',
          value: together.map(({ amountExpected }) => baseUnits(amountExpected, decimals).toString()),
        },
      ])
    if (last) await stack.pay(last)
  },

  /** One transaction of payments to muxed addresses; a single payment has a memo. */
  async stellar(stack, sessions) {
    const devnet = stack.other('stellar')
    const [first, ...others] = sessions
    if (first && others.length === 0) await stack.pay(first)
    else
      await sendOnStellar(
        devnet,
        sessions.map(({ muxedAddress, amountExpected }) =>
          Operation.payment({
            destination: String(muxedAddress),
            asset: assetOf(devnet.usdc),
            amount: amountExpected,
          }),
        ),
      )
  },
}
