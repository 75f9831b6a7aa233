import fc from 'fast-check'

/** Prepaid credit as a plain model: requests of one business, each with the same price. */

export const price = 1000n
export type Kind = 'verification' | 'assessment' | 'decision'
export type Command =
  | { do: 'topUp'; amount: bigint }
  | { do: 'request'; kind: Kind; name: number }
  | { do: 'end'; name: number; status: 'completed' | 'error' }
  | { do: 'resume' }
/** Commands of a round are given at once; rounds follow each other. */
export type History = Command[][]

const name = fc.integer({ min: 0, max: 4 })
const kind = fc.constantFrom<Kind>('verification', 'assessment', 'assessment', 'decision')
const command = fc.oneof(
  fc.record({ do: fc.constant('topUp' as const), amount: fc.bigInt({ min: 300n, max: 2500n }) }),
  fc.record({ do: fc.constant('request' as const), kind, name }),
  fc.record({ do: fc.constant('request' as const), kind, name }),
  fc.record({
    do: fc.constant('end' as const),
    name,
    status: fc.constantFrom('completed' as const, 'error' as const),
  }),
  fc.record({ do: fc.constant('resume' as const) }),
)
/** Three of four rounds have one command: the model knows their answers. */
const round = fc.oneof(
  { weight: 3, arbitrary: command.map((each) => [each]) },
  { weight: 1, arbitrary: fc.array(command, { minLength: 2, maxLength: 6 }) },
)
export const history: fc.Arbitrary<History> = fc.array(round, { minLength: 4, maxLength: 12 })

export type RowStatus = 'pending' | 'open' | 'taken' | 'returned'
export interface Model {
  credit: bigint
  /** By name, in the order of their requests. */
  rows: Map<number, { kind: Kind; status: RowStatus }>
}
export type Answer = RowStatus | 'refused' | 'reused' | 'ended' | 'not ended' | null

export const heldBy = ({ rows }: Model): bigint =>
  price * BigInt([...rows.values()].filter(({ status }) => status === 'open').length)

/** Applies one command. @returns the answer that it must have */
export function apply(model: Model, command: Command): Answer {
  switch (command.do) {
    case 'topUp':
      model.credit += command.amount
      return null
    case 'request':
      return request(model, command)
    case 'end': {
      const row = model.rows.get(command.name)
      if (row?.status !== 'open') return 'not ended'
      row.status = command.status === 'error' ? 'returned' : 'taken'
      if (command.status === 'error') model.credit += price
      return 'ended'
    }
    case 'resume':
      for (const row of model.rows.values()) {
        if (row.status !== 'pending' || model.credit < price) continue
        row.status = 'open'
        model.credit -= price
      }
      return null
  }
}

function request(model: Model, { kind, name }: Command & { do: 'request' }): Answer {
  const known = model.rows.get(name)
  if (known) return known.kind === kind ? known.status : 'reused'
  const isCovered = model.credit >= price
  if (!isCovered && kind !== 'assessment') return 'refused'
  if (isCovered) model.credit -= price
  // A decision is made while its caller waits.
  const status = kind === 'decision' ? 'taken' : 'open'
  model.rows.set(name, { kind, status: isCovered ? status : 'pending' })
  return isCovered ? status : 'pending'
}
