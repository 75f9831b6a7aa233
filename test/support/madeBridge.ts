import type { BridgeRequest } from '../../src/bridge/bridgeRow.ts'
import { callsOf, usdcOf } from '../../src/bridge/burnOf.ts'
import { bridge } from '../../src/bridge/capability.ts'
import { storeBridge } from '../../src/bridge/storeBridge.ts'
import { bridgeActions } from '../../src/chains/bridgeActions.ts'
import type { BridgeActions } from '../../src/chains/bridging.ts'
import type { MessageHex } from '../../src/chains/cctpMessage.ts'
import { registeredChain } from '../../src/chains/registry.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import { insertIntent } from '../../src/txmgr/intents.ts'
import { burnMessage } from './burnMessage.ts'
import { provers } from './intentKeys.ts'
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
  const [found] = await db.query<{ id: string }>(
    'select id from wallets where business_id = $1 and address = $2 and archived_at is null',
    [businessId, from],
  )
  return found?.id ?? makeWallet(db, businessId)
}

async function rowOf(businessId: string, walletId: string): Promise<BridgeRequest> {
  const [ethereum, base] = [registeredChain('ethereum'), registeredChain('base')]
  const [source, destination] = [await actionsOf('ethereum'), await actionsOf('base')]
  return {
    id: newId(),
    ...{ businessId, walletId, sourceChain: 'ethereum', destinationChain: 'base', amount: 250_000_000n },
    ...{ sourceAddress: from, destinationAddress: to, automatic: false, speed: 'fast', maxFee: 39_000n },
    ...{
      sourceDomain: 0,
      destinationDomain: 6,
      hook: '0x',
      needsApproval: false,
      approvalIntentId: null,
      eventAccount: null,
      createdAt: new Date(),
    },
    sourceMessenger: source.wordOf(ethereum.cctp?.tokenMessenger ?? ''),
    destinationMessenger: destination.wordOf(base.cctp?.tokenMessenger ?? ''),
    burnToken: source.wordOf(usdcOf(ethereum)?.contract ?? ''),
    sourceWord: source.wordOf(from),
    mintRecipient: destination.wordOf(to),
  }
}

/**
 * A bridge transfer of a business in any state, without its intents. @param more columns of its row @returns
 * its id
 */
export async function makeBridgeRow(
  db: ModelDb,
  businessId: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const row = await rowOf(businessId, await bridgeSource(db, businessId))
  await db.tx((tx) =>
    storeBridge(tx, { ...row, proof: Buffer.alloc(0) }, { apiKeyId: null, accountId: null }),
  )
  const names = Object.keys(more)
  if (names.length > 0)
    await db.query(
      `update bridge_transfers set ${names.map((name, i) => `${name} = $${i + 2}`).join(', ')} where id = $1`,
      [row.id, ...Object.values(more)],
    )
  return row.id
}

/**
 * A bridge transfer whose burn is confirmed, and that no worker has seen since. @returns its id, the burn's
 * transaction, and its message
 */
export async function makeBurntTransfer(
  db: ModelDb,
  businessId: string,
): Promise<{ id: string; txId: string; message: MessageHex }> {
  const [row, token] = [
    await rowOf(businessId, await bridgeSource(db, businessId)),
    usdcOf(registeredChain('ethereum')),
  ]
  if (!token) throw new Error('ethereum has USDC')
  const { burn: action } = callsOf(await actionsOf('ethereum'), row, token)
  const txId = `0x${row.id.replaceAll('-', '').padEnd(64, '0')}`
  const burn = {
    id: row.id,
    businessId,
    purpose: 'bridge-burn',
    chain: 'ethereum',
    signer: 'wallet',
    walletId: row.walletId,
    action,
  } as const
  await db.tx(async (tx) => {
    await insertIntent(
      { purposes: bridge.intents ?? [] },
      tx,
      { ...burn, symbol: null, decimals: null },
      60_000,
      provers.api,
    )
    await storeBridge(tx, { ...row, proof: Buffer.alloc(0) }, { apiKeyId: null, accountId: null })
    await tx.query(
      "update intents set status = 'confirmed', tx_id = $2, block_height = 7, next_reconcile_at = null where id = $1",
      [row.id, txId],
    )
    await tx.query('update bridge_transfers set next_at = now() where id = $1', [row.id])
  })
  return { id: row.id, txId, message: burnMessage(row, { nonce: BigInt(`0x${row.id.replaceAll('-', '')}`) }) }
}
