import type { Db } from '../../src/platform/database/db.ts'
import { coinSide, insertSwap } from '../../src/swaps/storedSwap.ts'
import { swapPurpose } from '../../src/swaps/swapPurposes.ts'
import { insertIntent } from '../../src/txmgr/intents.ts'

const address = `0x${'a'.repeat(40)}`

/** A swap that is on its way, without its transaction. @returns its id */
export const makeSwapRow = (db: Db, businessId: string): Promise<string> =>
  db.tx(async (tx) => {
    const flows = { cosigners: [], spends: [], receives: [], gasPrice: null, gasLimit: null }
    const action = {
      kind: 'calls',
      from: address,
      calls: [{ to: address, data: '0x', value: 0n, accounts: [] }],
      ...flows,
    } as const
    const wanted = {
      businessId,
      purpose: 'swap',
      chain: 'ethereum',
      signer: 'caller',
      walletId: null,
      action,
      symbol: null,
      decimals: null,
    } as const
    const { id } = await insertIntent({ purposes: [swapPurpose] }, tx, wanted, 3_600_000, null)
    const side = coinSide({ native: { symbol: 'ETH', decimals: 18 } } as Parameters<typeof coinSide>[0], 1n)
    const sides = { sell: side, buy: { ...side, token: address, symbol: 'USDC' } }
    await insertSwap(tx, {
      id,
      businessId,
      provider: '0x',
      approvals: [],
      to: address,
      ...sides,
      minBuyAmount: 1n,
      slippageBps: 50,
      rent: null,
    })
    return id
  })
