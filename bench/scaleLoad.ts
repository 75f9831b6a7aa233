import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { clock } from './clock.ts'
import { quantile } from './measure.ts'
import type { PaidSince } from './paidReceiver.ts'
import {
  amount,
  confirmations,
  heightsByAddress,
  type ScaleDeployment,
  takeAddresses,
} from './scaleDeployment.ts'
import { perBlock } from './scaleTables.ts'
import { readUsage, type Usage } from './scaleUsage.ts'
import type { Scope } from './scope.ts'

/** A load, as it was measured. */
export interface MeasuredLoad {
  payments: number
  blocks: number
  seconds: number
  perSecond: number
  used: Usage
  /** From a readable block to the arrival of `session.paid`, milliseconds. */
  p50: number
  p99: number
}

interface Load {
  /** Sessions that were created and are not paid yet, at most. */
  onTheirWay: number
  /** At least; and until as many payments are paid as `warmUpPayments`. */
  warmUpMs: number
  warmUpPayments: number
  measuredMs: number
}

const clients = 24
const settleMs = 60_000
const body = JSON.stringify({ chain: 'ethereum', token: 'USDC', amount })

/** Payments from their session to the webhook that they are paid, one load after the other. */
export function createLoads(scope: Scope, deployment: ScaleDeployment) {
  const heightOf = heightsByAddress()
  /** Sessions created for each height that has not been released. */
  const created = new Map<number, string[]>()
  const releasedAt = new Map<string, number>()
  /** Sessions that were not reported as paid yet, with the height of their payment. */
  const unpaid = new Map<string, number>()
  const counted = { nodeCalls: 0 }
  let head = Math.min(...heightOf.values()) - 1
  let createdCount = 0
  let paidCount = 0

  const pools = new Map<number, Pool>()
  const poolOf = (port: number) => {
    const known =
      pools.get(port) ??
      scope.keep(new Pool(`http://127.0.0.1:${port}`, { connections: clients }), (each) => each.destroy())
    pools.set(port, known)
    return known
  }

  async function createSession(turn: number): Promise<void> {
    const { apis, apiKeys } = deployment
    const api = apis[turn % apis.length]
    const response = await poolOf(api?.port() ?? 0).request({
      path: '/api/v1/pos/sessions',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKeys[turn % apiKeys.length] },
      body,
    })
    const text = await response.body.text()
    if (response.statusCode !== 201)
      throw new Error(`a session was not created: ${response.statusCode} ${text}`)
    const { id, address } = JSON.parse(text) as { id: string; address: string }
    const height = heightOf.get(address.toLowerCase())
    if (height === undefined) throw new Error('more sessions were created than there are addresses')
    const ids = created.get(height) ?? []
    created.set(height, [...ids, id])
    unpaid.set(id, height)
  }

  /** The next block, with its payments or, when nothing is to be paid, to confirm those before it. */
  async function release(isLast: boolean): Promise<boolean> {
    const ids = created.get(head + 1)
    if (ids?.length !== perBlock && !isLast) return false
    head++
    created.delete(head)
    if (isLast) await takeAddresses(deployment, head)
    const { calls } = await deployment.node.order({ head })
    const at = clock()
    for (const id of ids ?? []) releasedAt.set(id, at)
    counted.nodeCalls += Object.values(calls).reduce((sum, count) => sum + count, 0)
    return true
  }

  /** What was not reported as paid in time, as text. */
  const late: string[] = []
  return {
    late,
    async run({ onTheirWay, warmUpMs, warmUpPayments, measuredMs }: Load): Promise<MeasuredLoad> {
      const started = performance.now()
      const paidBefore = paidCount
      let measuredFrom = Number.POSITIVE_INFINITY
      const isOver = () => performance.now() - measuredFrom > measuredMs
      const waits: number[] = []
      let failure: unknown = null
      const guarded = (work: () => Promise<void>) =>
        work().catch((error: unknown) => {
          failure ??= error
        })
      const goesOn = () => failure === null && !isOver()
      const client = async () => {
        while (goesOn()) {
          if (createdCount - paidCount >= onTheirWay) await delay(5)
          else await createSession(createdCount++)
        }
      }
      const blocks = async () => {
        while (goesOn()) if (!(await release(false))) await delay(5)
      }
      const receive = async () => {
        const { paid } = await deployment.receiver.ask<PaidSince>({})
        for (const [id, at] of paid) {
          if (!unpaid.delete(id)) continue
          paidCount++
          waits.push(at - (releasedAt.get(id) ?? Number.NaN))
        }
      }
      const received = async () => {
        while (goesOn()) {
          await receive()
          await delay(40)
        }
      }
      const running = [...Array.from({ length: clients }, () => guarded(client)), guarded(blocks)]
      const receiving = guarded(received)
      const isWarm = () => performance.now() - started > warmUpMs && paidCount - paidBefore > warmUpPayments
      while (failure === null && !isWarm()) await delay(20)
      measuredFrom = performance.now()
      waits.length = 0
      const from = {
        at: performance.now(),
        paid: paidCount,
        head,
        usage: await readUsage(deployment, counted),
      }
      await Promise.all(running)
      await receiving
      const to = { at: performance.now(), paid: paidCount, head, usage: await readUsage(deployment, counted) }
      if (failure !== null) throw failure
      const measured = [...waits]
      await settle(receive)
      const seconds = (to.at - from.at) / 1000
      const payments = to.paid - from.paid
      return {
        ...{
          payments,
          blocks: to.head - from.head,
          seconds,
          perSecond: payments / seconds,
          used: difference(to.usage, from.usage),
        },
        ...{ p50: quantile(measured, 0.5), p99: quantile(measured, 0.99) },
      }
    },
    /** Blocks without payments, at fixed times: what stands still costs. */
    async idle(blocksPerSecond: number, measuredMs: number): Promise<MeasuredLoad> {
      await indexed()
      const from = { at: performance.now(), head, usage: await readUsage(deployment, counted) }
      while (performance.now() - from.at < measuredMs) {
        await release(true)
        await delay(1000 / blocksPerSecond)
      }
      const usage = await readUsage(deployment, counted)
      const seconds = (performance.now() - from.at) / 1000
      return {
        payments: 0,
        blocks: head - from.head,
        seconds,
        perSecond: 0,
        used: difference(usage, from.usage),
        p50: Number.NaN,
        p99: Number.NaN,
      }
    },
  }

  /** Waits until the indexer has read all blocks: what it is behind would count as work of later ones. */
  async function indexed(): Promise<void> {
    for (;;) {
      const rows = await deployment.db.query('select 1 from chain_cursors where height >= $1', [head])
      if (rows.length > 0) return
      await delay(50)
    }
  }

  /** What is known of the first of them. */
  async function statesOf(): Promise<string> {
    const some = [...unpaid].slice(0, 3)
    const rows = await deployment.db.query(
      `select s.id, s.status, s.created_at as "createdAt", (select json_agg(to_json(d)) from detections d where d.subject_id = s.id) as detections,
         (select json_agg(json_build_array(e.type, e.created_at, d.status)) from events e
          join webhook_deliveries d on d.event_id = e.id and d.created_at = e.created_at
          where e.business_id = s.business_id and (e.data->>'id' = s.id::text or e.data->>'sessionId' = s.id::text)) as events
       from pos_sessions s where s.id = any($1)`,
      [some.map(([id]) => id)],
    )
    return JSON.stringify({ head, heights: some.map(([, height]) => height), rows })
  }

  /** Pays and confirms what was created, so that the next load starts with nothing on its way. */
  async function settle(receive: () => Promise<void>): Promise<void> {
    while (created.size > 0) await release(true)
    for (let i = 0; i <= confirmations; i++) await release(true)
    for (const deadline = performance.now() + settleMs; unpaid.size > 0; await delay(100)) {
      await receive()
      if (performance.now() < deadline) continue
      late.push(
        `${unpaid.size} of ${createdCount} payments were not reported within ${settleMs / 1000} s: ${await statesOf()}`,
      )
      unpaid.clear()
      paidCount = createdCount
    }
  }
}

function difference(to: Usage, from: Usage): Usage {
  const less = (a: unknown, b: unknown): unknown =>
    typeof a === 'number'
      ? a - (b as number)
      : Object.fromEntries(
          Object.entries(a as object).map(([key, value]) => [key, less(value, (b as never)[key])]),
        )
  return less(to, from) as Usage
}
