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
   * Calls an operation of the dashboard's contract with the session cookie, and returns the body of its 2xx
   * answer.
   * @throws CowryError; TypeError for arguments that cannot be sent; the reason of an aborted `signal`
   */
  call<Op extends DashboardOperation>(
    operation: Op,
    ...options: DashboardArgumentsOf<Op>
  ): Promise<DashboardAnswerOf<Op>>
}

/**
 * A person is waiting: it gives up sooner than a program's client, and repeats only what a repetition does
 * not do twice.
 */
export function createDashboardClient({ baseUrl, fetch }: DashboardClientOptions): DashboardClient {
  const url = baseUrl.replace(/\/+$/, '')
  const sending: Sending = { fetch, retries: 2, timeoutMs: 30_000, maxWaitMs: 5_000, cookies: 'same-origin' }
  // Other sites cannot send this header: it prevents forged requests.
  const headers = async () => ({ 'x-cowry-dashboard': '1' })
  function call<Op extends DashboardOperation>(
    operation: Op,
    ...given: DashboardArgumentsOf<Op>
  ): Promise<DashboardAnswerOf<Op>>
  async function call(
    operation: DashboardOperation,
    { signal, ...given }: CallOptions = {},
  ): Promise<unknown> {
    const row: OperationRow | undefined = dashboardOperations[operation]
    const request = buildRequest(operation, row, url, given, headers)
    return send({ ...sending, retries: request.safe ? sending.retries : 0 }, request, signal)
  }
  return { call }
}
