import { base58 } from '@scure/base'
import { Keypair as SolanaKeypair } from '@solana/web3.js'
import { Operation, Keypair as StellarKeypair } from '@stellar/stellar-sdk'
import { utils } from 'tronweb'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Family } from '../../src/chains/chain.ts'
import { assetOf, sendOnStellar } from '../../test/devnets/customers/stellar.ts'
import type { DevDevnet } from './devnets.ts'

/** A wallet of the demo's merchant, which payouts go to. */
export interface MerchantWallet {
  address: string
  /** In the form of the chain's own library. */
  privateKey: string
}

/** A wallet for each family of the devnets, ready to receive their tokens; `known` ones stay. */
export async function makeMerchantWallets(
  devnets: readonly DevDevnet[],
  familyOf: (devnet: DevDevnet) => Family,
  known: Partial<Record<Family, MerchantWallet>>,
): Promise<Partial<Record<Family, MerchantWallet>>> {
  const wallets: Partial<Record<Family, MerchantWallet>> = { ...known }
  for (const devnet of devnets) {
    const family = familyOf(devnet)
    wallets[family] ??= await makers[family](devnet)
  }
  return wallets
}

const makers: Record<Family, (devnet: DevDevnet) => Promise<MerchantWallet>> = {
  async evm() {
    const privateKey = generatePrivateKey()
    return { address: privateKeyToAddress(privateKey), privateKey }
  },
  async solana() {
    const pair = SolanaKeypair.generate()
    return { address: pair.publicKey.toBase58(), privateKey: base58.encode(pair.secretKey) }
  },
  async tron() {
    const { address, privateKey } = utils.accounts.generateAccount()
    return { address: String(address.base58), privateKey }
  },
  /** An account on Stellar must exist, and trust each token. */
  async stellar({ published }) {
    const pair = StellarKeypair.random()
    const answer = await fetch(`${published.friendbotUrl}?addr=${pair.publicKey()}`)
    if (!answer.ok) throw new Error(`friendbot: ${answer.status} ${await answer.text()}`)
    const purse = {
      rpcUrl: published.rpcUrl,
      faucetPrivateKey: pair.secret(),
      networkPassphrase: String(published.networkPassphrase),
    }
    const tokens = [published.usdc, published.usdt].flatMap((token) =>
      token === undefined ? [] : [assetOf(token)],
    )
    await sendOnStellar(
      purse,
      tokens.map((asset) => Operation.changeTrust({ asset })),
    )
    return { address: pair.publicKey(), privateKey: pair.secret() }
  },
}
