import { dashboardOperations } from './contract/operations.ts'
import { buildRequest, type OperationRow } from './request.ts'
import { type Sending, send } from './send.ts'
import type { CallOptions, DashboardAnswerOf, DashboardArgumentsOf, DashboardOperation } from './types.ts'

export interface DashboardClientOptions {
  /** `/dashboard/api` in the dashboard itself. */
  baseUrl: string
  fetch?: typeof globalThis.fetch | undefined
}

export interface DashboardClient {
  /**
   * Carries an operation of the dashboard's own contract out, by the session cookie, and answers the body of its 2xx answer.
   * @throws CowryError; TypeError for arguments that cannot be sent; the reason of `signal` once it is aborted
   */
  call<Op extends DashboardOperation>(operation: Op, ...options: DashboardArgumentsOf<Op>): Promise<DashboardAnswerOf<Op>>
}

/** Somebody is waiting in front of it: it gives up sooner than a program's client, and repeats nothing but GET. */
export function createDashboardClient({ baseUrl, fetch }: DashboardClientOptions): DashboardClient {
  const url = baseUrl.replace(/\/+$/, '')
  const sending: Sending = { fetch, retries: 2, timeoutMs: 30_000, longestWaitMs: 5_000, cookies: 'same-origin' }
  // No other site can send this header, so it stands against forged requests.
  const headers = async () => ({ 'x-cowry-dashboard': '1' })
  function call<Op extends DashboardOperation>(operation: Op, ...given: DashboardArgumentsOf<Op>): Promise<DashboardAnswerOf<Op>>
  async function call(operation: DashboardOperation, { signal, ...given }: CallOptions = {}): Promise<unknown> {
    const row: OperationRow | undefined = dashboardOperations[operation]
    const retries = row?.method === 'GET' ? sending.retries : 0
    return send({ ...sending, retries }, buildRequest(operation, row, url, given, headers), signal)
  }
  return { call }
}
