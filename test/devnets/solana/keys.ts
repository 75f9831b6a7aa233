import { createHash } from 'node:crypto'
import { Keypair } from '@solana/web3.js'

/** The same on every devnet, and public knowledge: worth nothing elsewhere. */
const keyOf = (name: string): Keypair => Keypair.fromSeed(createHash('sha256').update(`cowry solana devnet ${name}`).digest())

export const devnetKeys = {
  /** Pays for all, holds plenty of everything, may mint. */
  faucet: keyOf('faucet'),
  /** What `requestAirdrop` sends from. */
  airdrop: keyOf('airdrop'),
  usdc: keyOf('usdc'),
  usdt: keyOf('usdt'),
  feeToken: keyOf('token with a transfer fee'),
  forwarder: keyOf('forwarder'),
}
