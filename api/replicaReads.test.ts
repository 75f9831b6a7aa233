import { expect, test } from '@jest/globals'
import type { ModelDb } from '../src/platform/database/modelDb.ts'
import type { Replica } from '../src/platform/database/replica.ts'
import { dashboardTwin, loadContracts, operationsOf } from './contract.ts'
import { readingReplica, replicaReads } from './replicaReads.ts'

const operations = Object.values(loadContracts()).flatMap(operationsOf)
const isRead = (operationId: string) =>
  [...replicaReads].some((id) => [id, dashboardTwin(id)].includes(operationId))

/** Lists in pages that are read from the primary, each with its reason. */
const atPrimary: Record<string, string> = {
  listAdjustments: 'an operator decides about them',
  listApprovals: 'an owner decides about them',
  listBusinesses: 'an operator decides about them',
  listDeadJobs: 'an operator replays them',
  listHeldTransfers: 'an operator decides about them',
  listKeys: 'an owner revokes one of them',
  listPayoutDestinations: 'a payout names one',
  listPayoutBatches: 'a batch is looked for right after it was created',
  listSuspense: 'an operator decides about it',
  listWallets: 'a transfer names one',
}

test('the replica answers only requests that read, and exist', () => {
  for (const id of replicaReads) {
    const found = operations.filter(({ operation }) =>
      [id, dashboardTwin(id)].includes(operation.operationId),
    )
    expect([id, [...new Set(found.map(({ method }) => method.toLowerCase()))]]).toEqual([id, ['get']])
  }
})

test('every list in pages is read from the replica, or has a reason why it is not', () => {
  const lists = operations
    .filter(({ operation }) =>
      (operation.parameters ?? []).some((each) =>
        /"name":"page"|parameters\/page"/i.test(JSON.stringify(each)),
      ),
    )
    .map(({ operation }) => operation.operationId)
  expect(lists.length).toBeGreaterThan(20)
  const others = lists.filter((id) => !isRead(id)).map((id) => id.replace(/OfBusiness$/, ''))
  expect([...new Set(others)].sort()).toEqual(Object.keys(atPrimary).sort())
})

test('only these operations get the pool of the replica', async () => {
  const [primary, standby] = [{} as ModelDb, {} as ModelDb]
  const used: string[] = []
  const replica = {
    db: standby,
    read: (readers: readonly string[], at: { replica(): Promise<unknown> }) => {
      used.push(...readers)
      return at.replica()
    },
  } as unknown as Replica
  const routes = ({ db }: { db: ModelDb }) => {
    const handler = async () => ({ status: 200, body: { at: db === standby ? 'replica' : 'primary' } })
    return { listSessions: handler, getSession: handler, createSession: handler, listBalances: handler }
  }
  const given = { name: 'sessions', routes } as unknown as Parameters<
    typeof readingReplica<{ db: ModelDb }>
  >[1]
  const ask = async (of: Replica | null) => {
    const table = readingReplica(of, given).routes({ db: primary }) as Record<
      string,
      (request: object) => Promise<{ body: { at: string } }>
    >
    const answers = Object.entries(table).map(async ([id, handler]) => [
      id,
      (await handler({ caller: { businessId: 'b', actor: { id: 'k' } } })).body.at,
    ])
    return Object.fromEntries(await Promise.all(answers)) as Record<string, string>
  }
  expect(await ask(replica)).toEqual({
    listSessions: 'replica',
    getSession: 'primary',
    createSession: 'primary',
    listBalances: 'primary',
  })
  expect(used).toEqual(['b', 'k'])
  expect(Object.values(await ask(null))).toEqual(Array(4).fill('primary'))
})
