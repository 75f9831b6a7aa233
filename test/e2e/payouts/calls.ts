import { Redis } from 'ioredis'
import { generateApiKey } from '../../../src/apiKeys/form.ts'
import { storeKey } from '../../../src/apiKeys/storeKey.ts'
import { newId } from '../../../src/platform/ids.ts'
import {
  addBusiness,
  addMember,
  addPerson,
  dashboard,
  type Headers,
  type Person,
  sessionOf,
  tokenOf,
} from '../../support/dashboardSession.ts'
import { makeDestination } from '../../support/madeDestination.ts'
import { giveBalance } from '../../support/madePayout.ts'
import { type ApiAnswer, createStack, type Stack } from '../../support/stack.ts'

/** An api with a business that pays out, and what the suite requests from it. */

export interface Payout {
  id: string
  status: string
  revision: number
  destination: { id: string; accountNumber: string | null; accountName: string | null }
  approval: { id: string; state: string } | null
  reason: string | null
  paidElsewhere: string | null
  [field: string]: unknown
}

export interface Refusal {
  error: string
  message: string
  fields?: { field: string; message: string }[]
  missing?: object
}

export const [gtBank, equityBank] = [
  '5f1af11b-305f-4420-8fce-65ed2725a409',
  '7ea6df5c-6bba-46b2-a7e6-f511959e7edb',
]
export const usdc = { chain: 'ethereum', token: 'USDC' }
export const million = 1_000_000n
export const someAddress = () => `0x${newId().replaceAll('-', '')}000000ab`

export let stack: Stack
export let redis: Redis
/** A business with two owners, a fee of 1 %, a margin of 2 %, and a balance. */
export let at: Paying
/** Every answer of an error, for the search for canaries. */
export const errors: string[] = []

export type Paying = Awaited<ReturnType<typeof openBusiness>>
export async function openBusiness(balance = 0n) {
  const [first, second] = [await addPerson(stack), await addPerson(stack)]
  const businessId = await addBusiness(stack, first)
  await addMember(stack, businessId, 'owner', second)
  await stack.db.query('update businesses set fee_percent = 1, fx_margin_percent = 2 where id = $1', [
    businessId,
  ])
  if (balance > 0n) await giveBalance(stack.db, businessId, usdc, balance)
  const wallet = await makeDestination(stack.db, businessId, { address: someAddress() })
  const keyWith = async (permissions: string[] | null, createdBy: Person | null = null): Promise<Headers> => {
    const key = generateApiKey('test')
    await storeKey(stack, {
      businessId,
      name: 'pays',
      scope: 'write',
      permissions,
      key,
      ...(createdBy && { createdBy: createdBy.id }),
    })
    return { 'x-api-key': key.reveal() }
  }
  return {
    businessId,
    first,
    second,
    wallet,
    keyWith,
    token: await tokenOf(stack, first),
    other: await tokenOf(stack, second),
    key: await keyWith(null),
  }
}

export async function open(): Promise<void> {
  stack = await createStack({
    processes: ['api'],
    traced: true,
    // 200 requests at a time wait for each other's connections.
    env: { LOG_LEVEL: 'trace', DATABASE_WAIT_MS: '30000' },
  })
  redis = new Redis(stack.redis.url)
  at = await openBusiness(10_000n * million)
}
export async function close(): Promise<void> {
  redis?.disconnect()
  await stack?.close()
}

export async function ask<T = Payout>(
  method: string,
  path: string,
  body?: unknown,
  headers: Headers = at.token,
): Promise<ApiAnswer<T>> {
  const response = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answered = (await response.json()) as T
  if (response.status >= 400) errors.push(JSON.stringify(answered))
  return { status: response.status, body: answered, headers: response.headers }
}
export const create = <T = Payout>(wanted: object = {}, headers?: Headers) =>
  ask<T>(
    'POST',
    '/payouts',
    { amount: '100', source: usdc, destination: { id: at.wallet }, ...wanted },
    headers,
  )
export const refusal = ({ status, body }: ApiAnswer<Refusal>) => [
  status,
  body.error,
  ...(body.fields ?? []).map(({ field }) => field).sort(),
]
export const inDashboard = async <T = object>(
  person: Person,
  method: string,
  path: string,
  body?: unknown,
  businessId = at.businessId,
) =>
  dashboard<T>(
    stack,
    method,
    `/businesses/${businessId}${path}`,
    body,
    (await sessionOf(stack, person)).headers,
  )

/** `available` and `payouts_held` in millionths. */
export async function balances(businessId: string): Promise<[bigint, bigint]> {
  const rows = await stack.db.query<{ name: string; amount: string }>(
    `select a.name, (-sum(p.amount))::text as amount from ledger_accounts a join ledger_postings p on p.account_id = a.id
     where a.business_id = $1 and a.asset = 'ethereum:USDC' group by a.name`,
    [businessId],
  )
  const of = (name: string) => BigInt(rows.find((row) => row.name === name)?.amount ?? 0)
  return [of('available'), of('payouts_held')]
}

/** What a payout stores. */
export const stored = async () =>
  (
    await stack.db.query<{ n: string }>(
      `select (select count(*) from outflows) || ' ' || (select count(*) from ledger_postings) || ' ' || (select count(*) from payout_destinations) || ' '
         || (select count(*) from approvals) || ' ' || (select count(*) from events) as n`,
    )
  )[0]?.n

export const eventsOf = (businessId: string, id: string) =>
  stack.db.query<{ type: string; data: Payout }>(
    "select type, data from events where business_id = $1 and data->>'id' = $2 order by sequence",
    [businessId, id],
  )
