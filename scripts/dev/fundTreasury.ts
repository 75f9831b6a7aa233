import { setTimeout as delay } from 'node:timers/promises'
import { type Address, createWalletClient, type Hex, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Family } from '../../src/chains/chain.ts'
import { addressCodec } from '../../src/chains/codecs.ts'
import { registeredChain } from '../../src/chains/registry.ts'
import { tokenAsset } from '../../src/ledger/entry.ts'
import { parseUnits } from '../../src/money/amount.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { sendSol } from '../../test/devnets/customers/solana.ts'
import { sendTrx } from '../../test/devnets/customers/tron.ts'
import { devnetChain, type EvmChainName } from '../../test/devnets/evm.ts'
import { bookOpening, type Opening } from './bookOpening.ts'
import type { DevDevnet } from './devnets.ts'

/**
 * Sends native coin of the devnets' faucets to the treasury, for the fees of sweeps and payouts. On Stellar
 * its account was funded when it was opened.
 */
export async function fundTreasury(
  db: Db,
  devnets: readonly DevDevnet[],
  familyOf: (devnet: DevDevnet) => Family,
): Promise<void> {
  const addresses = await treasuryAddresses(db, new Set(devnets.map(familyOf)))
  await Promise.all(
    devnets.map(async (devnet) => {
      const family = familyOf(devnet)
      const address = addresses.get(family)
      if (address === undefined) throw new Error(`the treasury has no address for ${devnet.chain}`)
      await sendCoin[family](devnet, addressCodec(family).display(address))
    }),
  )
  const openings = await Promise.all(
    devnets.map(async (devnet): Promise<Opening> => {
      const { name, native, family } = registeredChain(devnet.chain)
      const amount =
        family === 'stellar' ? await lumensOf(devnet, addresses.get(family) ?? '') : coinAmounts[family]
      return { account: `treasury:${name}`, asset: tokenAsset(name, native.symbol), amount }
    }),
  )
  await bookOpening(db, openings)
}

/** What its account on Stellar has, after the fees of opening it. */
async function lumensOf({ published }: DevDevnet, address: string): Promise<bigint> {
  const answer = await fetch(`${published.horizonUrl}/accounts/${address}`)
  const { balances } = (await answer.json()) as { balances: { asset_type: string; balance: string }[] }
  return parseUnits(balances.find(({ asset_type: type }) => type === 'native')?.balance ?? '', 7) ?? 0n
}

/** Base units of native coin. */
export const coinAmounts: Record<Exclude<Family, 'stellar'>, bigint> = {
  evm: parseEther('10'),
  solana: 10_000_000_000n,
  tron: 10_000_000_000n,
}

/** The treasury's process writes them when it starts. */
async function treasuryAddresses(db: Db, families: ReadonlySet<Family>): Promise<Map<Family, string>> {
  for (const deadline = Date.now() + 10_000; ; await delay(100)) {
    const rows = await db.query<{ family: Family; address: string }>(
      'select family, address from treasury_addresses',
    )
    const found = new Map(rows.map(({ family, address }) => [family, address]))
    if ([...families].every((family) => found.has(family)) || Date.now() > deadline) return found
  }
}

/** Send native coin of a devnet's faucet. */
export const sendCoin: Record<Family, (devnet: DevDevnet, address: string) => Promise<unknown>> = {
  async evm({ chain, published }, address) {
    const account = privateKeyToAccount(published.faucetPrivateKey as Hex)
    const wallet = createWalletClient({
      account,
      chain: devnetChain(chain as EvmChainName, published.rpcUrl),
      transport: http(published.rpcUrl),
    })
    await wallet.sendTransaction({ to: address as Address, value: coinAmounts.evm })
  },
  solana: ({ published }, address) => sendSol(published, address, coinAmounts.solana),
  tron: ({ published }, address) => sendTrx(published, address, Number(coinAmounts.tron)),
  stellar: async () => {},
}
