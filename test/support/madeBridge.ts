import { storeBridge } from '../../src/bridge/storeBridge.ts'
import { bridgeActions } from '../../src/chains/bridgeActions.ts'
import type { BridgeActions } from '../../src/chains/bridging.ts'
import { registeredChain } from '../../src/chains/registry.ts'
import { newId } from '../../src/platform/ids.ts'
import type { ModelDb } from '../../src/platform/modelDb.ts'
import { fund } from './payers.ts'
import type { Stack } from './stack.ts'
import { makeWallet } from './waitingTransfer.ts'

const [from, to] = [`0x${'cd'.repeat(20)}`, `0x${'ef'.repeat(20)}`]

/** A request that the wallet of `makeWallet` can pay once `fundBridge` has run. */
export const bridgeRequest = {
  sourceChain: 'ethereum',
  destinationChain: 'base',
  amount: '2',
  sourceAddress: from,
  destinationAddress: to,
} as const

/** Gives coin and USDC to the address of all wallets that `makeWallet` makes. */
export const fundBridge = (stack: Stack): Promise<void> =>
  fund(stack, { chain: 'ethereum', address: from, privateKey: '' }, { native: '10', USDC: '100000' })

const actionsOf = async (name: string): Promise<BridgeActions> => {
  const actions = await bridgeActions(registeredChain(name))
  if (!actions) throw new Error(`${name} has no bridge`)
  return actions
}

/** The wallet of `makeWallet` of a business. @returns its id */
export async function bridgeSource(db: ModelDb, businessId: string): Promise<string> {
  const [found] = await db.query<{ id: string }>('select id from wallets where business_id = $1 and address = $2 and archived_at is null', [
    businessId,
    from,
  ])
  return found?.id ?? makeWallet(db, businessId)
}

/** A bridge transfer of a business in any state, without its intents. @param more columns of its row @returns its id */
export async function makeBridgeRow(db: ModelDb, businessId: string, more: Record<string, unknown> = {}): Promise<string> {
  const [id, walletId] = [newId(), await bridgeSource(db, businessId)]
  const [ethereum, base] = [registeredChain('ethereum'), registeredChain('base')]
  const [source, destination] = [await actionsOf('ethereum'), await actionsOf('base')]
  const row = {
    id,
    ...{ businessId, walletId, sourceChain: 'ethereum', destinationChain: 'base', amount: 250_000_000n },
    ...({ sourceAddress: from, destinationAddress: to, automatic: false, speed: 'fast', maxFee: 39_000n } as const),
    ...({ sourceDomain: 0, destinationDomain: 6, hook: '0x', needsApproval: false, approvalIntentId: null, createdAt: new Date() } as const),
    sourceMessenger: source.wordOf(ethereum.cctp?.tokenMessenger ?? ''),
    destinationMessenger: destination.wordOf(base.cctp?.tokenMessenger ?? ''),
    burnToken: source.wordOf(ethereum.tokens.find(({ symbol }) => symbol === 'USDC')?.contract ?? ''),
    sourceWord: source.wordOf(from),
    mintRecipient: destination.wordOf(to),
    proof: Buffer.alloc(0),
  }
  await db.tx((tx) => storeBridge(tx, row, { apiKeyId: null, accountId: null }))
  const names = Object.keys(more)
  if (names.length > 0)
    await db.query(`update bridge_transfers set ${names.map((name, i) => `${name} = $${i + 2}`).join(', ')} where id = $1`, [
      id,
      ...Object.values(more),
    ])
  return id
}
