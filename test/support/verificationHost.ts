import type { ApiAnswer, Stack } from './stack.ts'

export type VerificationBody = Record<string, unknown> & { id: string; error?: string }
export type RequestVerification = (
  method: string,
  path: string,
  key: string | null,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ApiAnswer<VerificationBody>>

/** The URL of a stack's verification host. */
export const verificationUrl = (stack: Stack, process = 'verification'): string =>
  `http://127.0.0.1:${stack.processes.get(process)?.verifyPort()}/api/kyc`

/** Sends requests to a stack's verification host. */
export const requestVerification =
  (stack: Stack): RequestVerification =>
  async (method, path, key, body, headers = {}) => {
    const response = await fetch(`${verificationUrl(stack)}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return {
      status: response.status,
      body: (await response.json()) as VerificationBody,
      headers: response.headers,
    }
  }

/** What a business's accounts of credit hold, in millionths of a dollar. */
export async function creditOf(stack: Stack, businessId = stack.businessId): Promise<Record<string, bigint>> {
  const rows = await stack.db.query<{ name: string; balance: string }>(
    `select a.name, sum(b.balance)::text as balance from ledger_accounts a join ledger_balances b on b.account_id = a.id
     where a.business_id = $1 and a.name like 'credit%' group by 1`,
    [businessId],
  )
  return Object.fromEntries(rows.map(({ name, balance }) => [name, BigInt(balance)]))
}
