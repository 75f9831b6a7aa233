import { createHash } from 'node:crypto'
import { Keypair } from '@solana/web3.js'

/** The same on every devnet, and publicly known: worthless elsewhere. */
export const keyOf = (name: string): Keypair =>
  Keypair.fromSeed(createHash('sha256').update(`cowry solana devnet ${name}`).digest())

export const devnetKeys = {
  /** Pays all fees, holds plenty of everything, mints. */
  faucet: keyOf('faucet'),
  /** `requestAirdrop` sends from it. */
  airdrop: keyOf('airdrop'),
  usdc: keyOf('usdc'),
  usdt: keyOf('usdt'),
  feeToken: keyOf('token with a transfer fee'),
  forwarder: keyOf('forwarder'),
  /** Vote accounts: one that votes, and one that does not. */
  validator: keyOf('validator'),
  delinquentValidator: keyOf('delinquent validator'),
}
