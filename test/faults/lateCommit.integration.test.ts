import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { getBusiness } from '../../src/businesses/business.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { tokenOf } from '../../src/chains/registry.ts'
import { priceFromAmount } from '../../src/pricing/price.ts'
import { createSession } from '../../src/sessions/createSession.ts'
import type { SessionView } from '../../src/sessions/present.ts'
import { devnetEnv } from '../devnets/evm.ts'
import { checkoutUrl } from '../support/checkoutUrl.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { wideCaps } from '../support/wideCaps.ts'

let stack: Stack

beforeAll(async () => {
  stack = await createStack({ processes: ['cowry'], confirmations: 1 })
})
afterAll(() => stack?.close())

test('a session whose transaction commits after younger sessions were created and read is detected in the next block', async () => {
  const { chains } = configuredChains({ ...devnetEnv(stack.devnet), ETHEREUM_CONFIRMATIONS: '1' })
  const [chain] = chains
  const token = chain && tokenOf(chain, 'USDC')
  if (!token) throw new Error('ethereum is not configured')
  const ctx = { db: stack.db, chains, checkoutUrl, caps: wideCaps }
  let commit: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    commit = resolve
  })
  let inserted: (view: SessionView) => void = () => {}
  const written = new Promise<SessionView>((resolve) => {
    inserted = resolve
  })
  const creating = createSession(
    ctx,
    {
      actor: {},
      business: await getBusiness(ctx, stack.businessId),
      chain,
      price: priceFromAmount(token, 5_000_000n, null, { feePercent: '0', fxMarginPercent: '0' }),
      expirySeconds: 600,
      label: null,
      reference: null,
      metadata: null,
    },
    async (tx, view) => {
      // The rows go with this statement; otherwise with the commit.
      await tx.query('select 1')
      inserted(view)
      await held
    },
  )
  const late = await written

  // Younger sessions are committed, their watches read, blocks matched: the watermark could have passed the
  // late one.
  for (let i = 0; i < 3; i++) {
    const younger = await stack.createSession({ amount: '5' })
    await stack.send(younger.address, 5_000_000n)
    await stack.mine()
    await stack.sessionIs(younger.id, 'paid')
  }
  const [order] = await stack.db.query<{ younger: number }>(
    'select count(*)::int as younger from watches where purpose = $1',
    ['session'],
  )
  expect(order?.younger).toBe(3)

  commit()
  await creating
  await stack.send(late.address as `0x${string}`, 5_000_000n)
  await stack.mine()
  const height = await stack.height()
  const paid = await stack.sessionIs(late.id, 'paid')
  expect(paid.payments).toMatchObject([{ status: 'confirmed', blockHeight: height }])
  const [xids] = await stack.db.query<{ older: boolean }>(
    'select (select xid from watches where subject_id = $1) < (select min(xid) from watches where subject_id <> $1 and business_id is not null) as older',
    [late.id],
  )
  expect(xids?.older).toBe(true)
  await waitFor('its webhook', async () => stack.receiver.types(late.id).includes('session.paid'))
})
