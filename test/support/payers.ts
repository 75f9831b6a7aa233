import { base58 } from '@scure/base'
import { Keypair as SolanaKeypair } from '@solana/web3.js'
import { Operation, Keypair as StellarKeypair } from '@stellar/stellar-sdk'
import { TronWeb } from 'tronweb'
import { type Hex, numberToHex, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type ChainName, knownChain } from '../../src/chains/registry.ts'
import { baseUnits } from '../devnets/customers/order.ts'
import { payOnSolana, sendSol } from '../devnets/customers/solana.ts'
import { assetOf, sendOnStellar } from '../devnets/customers/stellar.ts'
import { payOnTron, sendTrx } from '../devnets/customers/tron.ts'
import { rpc } from '../devnets/evm.ts'
import { isOther } from './otherDevnets.ts'
import type { Stack } from './stack.ts'

/** A sender, made by the chain's own library. */
export interface Payer {
  chain: ChainName
  /** In the form of the chain's own library. */
  privateKey: string
  address: string
}

/** A payer's balances, in whole units. */
export interface Holdings {
  native?: string
  USDC?: string
  USDT?: string
}

/** Makes a key pair, of this secret or of a new one. It has no funds. */
export function newPayer(chain: ChainName, secret?: Uint8Array): Payer {
  if (chain === 'solana') {
    const { secretKey, publicKey } = secret ? SolanaKeypair.fromSeed(secret) : SolanaKeypair.generate()
    return { chain, privateKey: base58.encode(secretKey), address: publicKey.toBase58() }
  }
  if (chain === 'stellar') {
    const pair = secret ? StellarKeypair.fromRawEd25519Seed(Buffer.from(secret)) : StellarKeypair.random()
    return { chain, privateKey: pair.secret(), address: pair.publicKey() }
  }
  const privateKey = secret ? toHex(secret) : generatePrivateKey()
  if (chain !== 'tron') return { chain, privateKey, address: privateKeyToAccount(privateKey).address }
  const hex = privateKey.slice(2)
  return { chain, privateKey: hex, address: String(TronWeb.address.fromPrivateKey(hex)) }
}

const tokens = ['USDC', 'USDT'] as const

/** The token's contract, its mint, or `CODE:ISSUER`. @throws if the chain does not have it */
export function contractOf(stack: Stack, chain: ChainName, token: 'USDC' | 'USDT'): string {
  const devnet: { usdc?: string; usdt?: string | null } | undefined = isOther(chain)
    ? stack.other(chain)
    : stack.devnets.get(chain)
  const contract = token === 'USDC' ? devnet?.usdc : devnet?.usdt
  if (!contract) throw new Error(`no ${token} on ${chain}`)
  return contract
}

export function decimalsOf(stack: Stack, chain: ChainName): { native: number; token: number } {
  const native = knownChain(chain)?.native.decimals ?? 18
  if (isOther(chain)) return { native, token: chain === 'stellar' ? 7 : 6 }
  return { native, token: stack.devnets.get(chain)?.decimals ?? 6 }
}

/** Adds native coin and tokens from the faucet to an address, and mines the blocks that this takes. */
export async function fund(stack: Stack, payer: Payer, holdings: Holdings): Promise<void> {
  const { chain } = payer
  if (chain === 'stellar') await fundOnStellar(stack, payer, holdings)
  else if (chain === 'solana') await fundOnSolana(stack, payer, holdings)
  else if (chain === 'tron') await fundOnTron(stack, payer, holdings)
  else await fundOnEvm(stack, payer, holdings)
}

async function fundOnEvm(stack: Stack, { chain, address }: Payer, holdings: Holdings): Promise<void> {
  const rpcUrl = stack.devnets.get(chain)?.rpcUrl ?? ''
  if (holdings.native) {
    const before = BigInt(String(await rpc(rpcUrl, 'eth_getBalance', [address, 'latest'])))
    await rpc(rpcUrl, 'anvil_setBalance', [address, numberToHex(before + baseUnits(holdings.native, 18))])
  }
  const { token: decimals } = decimalsOf(stack, chain)
  for (const token of tokens) {
    const amount = holdings[token]
    if (amount)
      await stack.send(address as Hex, baseUnits(amount, decimals), {
        chain,
        token: contractOf(stack, chain, token) as Hex,
      })
  }
  // Setting a balance takes no block, and leaves fees as they are.
  if (holdings.USDC || holdings.USDT) await stack.mine(1, chain)
}

async function fundOnSolana(stack: Stack, { address }: Payer, holdings: Holdings): Promise<void> {
  const devnet = stack.other('solana')
  if (holdings.native) await sendSol(devnet, address, baseUnits(holdings.native, 9))
  for (const token of tokens) {
    const amount = holdings[token]
    if (amount)
      await payOnSolana(devnet, { address, token: contractOf(stack, 'solana', token), amount, decimals: 6 })
  }
  await stack.mine(1, 'solana')
}

async function fundOnTron(stack: Stack, { address }: Payer, holdings: Holdings): Promise<void> {
  const devnet = stack.other('tron')
  // A transaction is valid for a minute from the newest block, which may be older.
  await stack.mine(1, 'tron')
  if (holdings.native) await sendTrx(devnet, address, Number(baseUnits(holdings.native, 6)))
  if (holdings.USDT)
    await payOnTron(devnet, { address, token: devnet.usdt, amount: holdings.USDT, decimals: 6 })
  await stack.mine(1, 'tron')
}

/** Opens the account if it does not exist, and a trustline for each token. */
async function fundOnStellar(
  stack: Stack,
  { address, privateKey }: Payer,
  holdings: Holdings,
): Promise<void> {
  const devnet = stack.other('stellar')
  const isOpen = (await fetch(`${devnet.horizonUrl}/accounts/${address}`)).ok
  const pair = StellarKeypair.fromSecret(privateKey)
  const native = holdings.native ?? (isOpen ? undefined : '10')
  const open =
    native === undefined
      ? []
      : [
          isOpen
            ? pay('native', native)
            : Operation.createAccount({ destination: address, startingBalance: native }),
        ]
  function pay(token: string, amount: string) {
    return Operation.payment({ destination: address, asset: assetOf(token), amount })
  }
  const payments = tokens.flatMap((token) => {
    const amount = holdings[token]
    if (amount === undefined) return []
    const contract = contractOf(stack, 'stellar', token)
    const trust = Operation.changeTrust({ asset: assetOf(contract), source: address })
    return Number(amount) === 0 ? [trust] : [trust, pay(contract, amount)]
  })
  await sendOnStellar(devnet, [...open, ...payments], undefined, payments.length > 0 ? [pair] : [])
  await stack.mine(1, 'stellar')
}
