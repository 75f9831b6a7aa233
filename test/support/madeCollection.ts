import { configuredChains } from '../../src/chains/configuration.ts'
import { storeCollection } from '../../src/collections/storeCollection.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { dashboard, type Person, sessionOf } from './dashboardSession.ts'
import { someCollection } from './sampleRequests.ts'
import type { Stack } from './stack.ts'
import { appKey } from './template.ts'

/** A collection that a person makes in the dashboard, at the partner's stand-in. @returns its id */
export async function makeCollection(
  stack: Stack,
  person: Person,
  businessId: string,
  more: object = {},
): Promise<string> {
  const { headers } = await sessionOf(stack, person)
  const body = { ...someCollection(), ...more }
  const made = await dashboard<{ id: string }>(
    stack,
    'POST',
    `/businesses/${businessId}/fiat-collections`,
    body,
    headers,
  )
  if (made.status !== 201) throw new Error(`no collection: ${made.status} ${JSON.stringify(made.body)}`)
  return made.body.id
}

/** A collection that the partner does not have yet. @returns its id */
export async function makePendingCollection(db: ModelDb, businessId: string): Promise<string> {
  const [chain] = configuredChains({ ETHEREUM_RPC_URLS: 'http://127.0.0.1:1' }).chains
  if (!chain) throw new Error('no chain')
  const {
    walletAddress,
    cryptoCurrency: token,
    recipient,
    source,
    currency,
    country,
    amount,
  } = someCollection()
  const { id } = await db.tx(async (tx) => {
    const wanted = {
      businessId,
      localAmount: BigInt(amount),
      currency,
      country,
      partner: 'yellowcard',
      channelId: 'a-channel',
      reference: null,
    }
    const wallet = { chain, token, address: walletAddress, memo: null }
    const payer = { recipient: { ...recipient, kind: 'person' as const }, source }
    return storeCollection({ appKey: new Secret(appKey) }, tx, { ...wanted, wallet, payer, metadata: null })
  })
  await db.query('update fiat_collections set submitted_at = null where id = $1', [id])
  return id
}
