import type { DashboardAnswerOf, DashboardBodyOf } from '../../../../client/index.ts'
import { trimmed } from '../formData.ts'
import type { PaymentSettings } from '../types.ts'

export type Limit = DashboardAnswerOf<'getAmountLimitsOfBusiness'>['limits'][number]
export type WantedLimit = DashboardBodyOf<'setAmountLimitsOfBusiness'>['limits'][number]

/** A line of the form. Its controls are named by its number. */
export interface LimitRow {
  token: string
  /** Null: all networks. */
  chain: string | null
  min: string
  max: string
}

/** A row for each token on all networks, and one for each limit of a single network. */
export function rowsOf(networks: PaymentSettings['networks'], limits: readonly Limit[]): LimitRow[] {
  const tokens = new Set([
    ...networks.flatMap((network) => network.tokens.map(({ token }) => token as string)),
    ...limits.flatMap(({ token, chain }) => (chain === null ? [token] : [])),
  ])
  const rowOf = (token: string, chain: string | null, limit?: Limit): LimitRow => ({
    token,
    chain,
    min: limit?.min ?? '',
    max: limit?.max ?? '',
  })
  return [
    ...[...tokens].map((token) =>
      rowOf(
        token,
        null,
        limits.find((each) => each.chain === null && each.token === token),
      ),
    ),
    ...limits.filter(({ chain }) => chain !== null).map((each) => rowOf(each.token, each.chain, each)),
  ]
}

/** The limits of the rows that have one, and the row of each. */
export function limitsIn(
  data: FormData,
  rows: readonly Pick<LimitRow, 'token' | 'chain'>[],
): { limits: WantedLimit[]; numbers: number[] } {
  const given = rows.flatMap(({ token, chain }, number) => {
    const [min, max] = [trimmed(data, `min.${number}`) || null, trimmed(data, `max.${number}`) || null]
    return min === null && max === null ? [] : [{ number, limit: { token, chain, min, max } as WantedLimit }]
  })
  return { limits: given.map(({ limit }) => limit), numbers: given.map(({ number }) => number) }
}

/** The control that a field of an answer is about: `limits.0.min` is `min.3` where the first limit is of row 3. */
export function controlOf(field: string, numbers: readonly number[]): string | null {
  const [, index, name = 'min'] = /^limits\.(\d+)(?:\.(min|max))?$/.exec(field) ?? []
  const number = index === undefined ? undefined : numbers[Number(index)]
  return number === undefined ? null : `${name}.${number}`
}
