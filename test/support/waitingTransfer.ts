import { generateApiKey } from '../../src/apiKeys/form.ts'
import { storeKey } from '../../src/apiKeys/storeKey.ts'
import { requestApproval } from '../../src/approvals/requestApproval.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import { insertIntent } from '../../src/txmgr/intents.ts'
import { intentOf } from './evmIntents.ts'
import { provers } from './intentKeys.ts'
import { transfers } from './purposes.ts'

const [from, to] = [`0x${'cd'.repeat(20)}`, `0x${'ef'.repeat(20)}`]

const sender = {
  purpose: 'transfer',
  chain: 'ethereum',
  signer: 'wallet',
  symbol: 'ETH',
  decimals: 18,
} as const

/** A stored wallet of a business. No treasury can open it. */
export async function makeWallet(db: ModelDb, businessId: string): Promise<string> {
  const [wallet, walletKey] = [newId(), newId()]
  await db.query(
    "insert into wallet_keys (id, public_key, provider, wrapped_key, sealed, retired_at) values ($1, '', 'env', '', '', now())",
    [walletKey],
  )
  await db.query(
    "insert into wallets (id, business_id, chain, address, public_key, source, key_id, sealed) values ($1, $2, 'ethereum', $3, '', 'private_key', $4, '')",
    [wallet, businessId, from, walletKey],
  )
  return wallet
}

/** A stored wallet of a business, and a transfer from it that a key requested and an owner has to approve. */
export async function makeWaitingTransfer(
  db: ModelDb,
  businessId: string,
): Promise<{ wallet: string; transfer: string; approval: string }> {
  const [wallet, transfer] = [await makeWallet(db, businessId), newId()]
  const { id: apiKeyId } = await storeKey(
    { db },
    { businessId, name: 'asks', scope: 'write', permissions: ['wallets:send'], key: generateApiKey('test') },
  )
  const asked = { apiKeyId, accountId: null }
  await db.tx(async (tx) => {
    await requestApproval(tx, { businessId, subject: 'transfer', subjectId: transfer, ...asked })
    const wanted = {
      ...sender,
      id: transfer,
      businessId,
      walletId: wallet,
      action: intentOf({ from, to, amount: 5n }),
    }
    await insertIntent(transfers, tx, { ...wanted, askedBy: asked, needsApproval: true }, 0, provers.api)
  })
  const [row] = await db.query<{ id: string }>('select id from approvals where subject_id = $1', [transfer])
  return { wallet, transfer, approval: row?.id ?? '' }
}

/**
 * Unsigned transfers of a stored wallet, the first of 1 ETH, the second of 2, and so on. @returns their ids
 */
export async function makeTransfers(db: ModelDb, businessId: string, count: number): Promise<string[]> {
  const walletId = await makeWallet(db, businessId)
  return db.tx(async (tx) => {
    const ids: string[] = []
    for (let ether = 1; ether <= count; ether++) {
      const transfer = intentOf({ from, to, amount: BigInt(ether) * 10n ** 18n })
      ids.push(
        (
          await insertIntent(
            transfers,
            tx,
            { ...sender, businessId, walletId, action: transfer },
            0,
            provers.api,
          )
        ).id,
      )
    }
    return ids
  })
}
