import { generateApiKey } from '../../src/apiKeys/form.ts'
import { storeKey } from '../../src/apiKeys/storeKey.ts'
import { requestApproval, requestApprovals } from '../../src/approvals/requestApproval.ts'
import { platformAccount } from '../../src/ledger/account.ts'
import { tokenAsset } from '../../src/ledger/entry.ts'
import { post } from '../../src/ledger/post.ts'
import { type NewOutflow, storeOutflow } from '../../src/outflows/storeOutflow.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { newId } from '../../src/platform/ids.ts'
import { provers } from './intentKeys.ts'
import { makeDestination } from './madeDestination.ts'

type Asset = { chain: string; token: string }

/** Gives a business a balance, which came to the deposit addresses of the chain. */
export async function giveBalance(
  db: ModelDb,
  businessId: string,
  { chain, token }: Asset,
  amount: bigint,
): Promise<void> {
  const asset = tokenAsset(chain, token)
  const to = { name: 'available', businessId, asset } as const
  const postings = [
    { account: platformAccount(`deposits:${chain}`, asset), amount },
    { account: to, amount: -amount },
  ]
  await db.tx((tx) =>
    post(tx, [
      {
        kind: 'adjustment.posted',
        businessId,
        cause: { kind: 'adjustment', id: newId() },
        step: 1,
        postings,
      },
    ]),
  )
}

/** A payout of 1 USDC on ethereum, from a balance that the business has. @returns its id */
export async function makePayout(
  db: ModelDb,
  businessId: string,
  destinationId: string,
  more: Partial<NewOutflow> = {},
): Promise<string> {
  const [row] = await db.query<{ address: string }>('select address from payout_destinations where id = $1', [
    destinationId,
  ])
  if (!row) throw new Error(`no destination ${destinationId}`)
  const wallet = { chain: 'ethereum', token: 'USDC', address: row.address, memo: null, amount: 990_000n }
  return db.tx(async (tx) => {
    const { outflow, entries } = await storeOutflow({ madeBy: 'api', prover: provers.api }, tx, {
      ...{
        kind: 'payout',
        businessId,
        status: 'pending',
        chain: 'ethereum',
        token: 'USDC',
        amount: 1_000_000n,
        fee: 10_000n,
      },
      ...{ destinationId, wallet, bank: null },
      ...more,
    })
    const { id, status, askedByAccount: accountId, askedByKey: apiKeyId } = outflow
    if (status === 'awaiting_approval' && outflow.batchId === null)
      await requestApproval(tx, { businessId, subject: 'payout', subjectId: id, accountId, apiKeyId })
    await post(tx, entries)
    return id
  })
}

/** A batch of two payouts of 1 USDC each. @returns its id */
export async function makePayoutBatch(
  db: ModelDb,
  businessId: string,
  destinationId: string,
  more: Partial<NewOutflow> = {},
): Promise<string> {
  const batchId = newId()
  const { askedByAccount: accountId = null, askedByKey: apiKeyId = null } = more
  await db.query(
    'insert into payout_batches (id, business_id, asked_by_account, asked_by_key, created_at) values ($1, $2, $3, $4, now())',
    [batchId, businessId, accountId, apiKeyId],
  )
  const payouts: string[] = []
  for (let n = 0; n < 2; n++)
    payouts.push(await makePayout(db, businessId, destinationId, { ...more, batchId }))
  if (more.status === 'awaiting_approval')
    await db.tx((tx) =>
      requestApprovals(tx, { businessId, subject: 'payout', accountId, apiKeyId, batchId }, [
        batchId,
        ...payouts,
      ]),
    )
  return batchId
}

/** A payout of 1 USDC to a bank, whose price was renewed and has to be confirmed. @returns its id */
export async function makeRepricedPayout(db: ModelDb, businessId: string): Promise<string> {
  const destinationId = await makeDestination(db, businessId, 'bank')
  const price = { localAmount: 1500n, localFee: '15', rate: '1610', rateAt: null, rateSource: 'yellowcard' }
  const bank = { partner: 'yellowcard', networkId: 'bank', currency: 'NGN', price }
  const id = await makePayout(db, businessId, destinationId, { wallet: null, bank, fee: 10_000n })
  await db.query("update outflows set agreed_amount = 1600, reason = 'price_changed' where id = $1", [id])
  return id
}

/**
 * A destination, and payouts of a business: two that are pending, one whose price has to be confirmed, and
 * one that a key requested and an owner has to approve.
 */
export async function makePayouts(db: ModelDb, businessId: string) {
  await giveBalance(db, businessId, { chain: 'ethereum', token: 'USDC' }, 20_000_000n)
  const payoutDestination = await makeDestination(db, businessId)
  const { id: askedByKey } = await storeKey(
    { db },
    {
      businessId,
      name: 'pays',
      scope: 'write',
      permissions: ['payouts:create'],
      key: generateApiKey('test'),
    },
  )
  const payout = await makePayout(db, businessId, payoutDestination)
  const unpaidPayout = await makePayout(db, businessId, payoutDestination)
  const repricedPayout = await makeRepricedPayout(db, businessId)
  const waitingPayout = await makePayout(db, businessId, payoutDestination, {
    status: 'awaiting_approval',
    askedByKey,
  })
  const payoutBatch = await makePayoutBatch(db, businessId, payoutDestination, { askedByKey })
  const waitingBatch = await makePayoutBatch(db, businessId, payoutDestination, {
    status: 'awaiting_approval',
    askedByKey,
  })
  return {
    payoutDestination,
    payout,
    unpaidPayout,
    repricedPayout,
    waitingPayout,
    payoutBatch,
    waitingBatch,
  }
}
