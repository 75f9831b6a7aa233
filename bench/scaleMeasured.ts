import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Costs, limitOf } from './simulation.ts'

/** A load at which something was full, as it was measured. */
export interface FullLoad {
  apis: number
  workers: number
  perSecond: number
  /** From a readable block to the arrival of `session.paid`, milliseconds. */
  p50: number
  p99: number
  /**
   * Milliseconds of CPU that the machine had for the deployment and its load in a second: without other work.
   */
  coreMs: number
  /** For each payment: more where more workers find fewer rows at a time. */
  transactions: number
  /** Share of a core that each part used. */
  cores: Record<string, number>
  /** Share of the machine that nothing used. */
  idle: number
}

/** What `npm run bench -- scale --save` has measured last. */
export interface Measured {
  machine: string
  /** Payments a second at which the costs were measured. */
  at: number
  costs: Costs
  /** The same with two apis and two workers. */
  costsOfTwo: Costs
  loads: FullLoad[]
}

const file = join(import.meta.dirname, 'scaleMeasured.json')

export const readMeasured = (): Measured => JSON.parse(readFileSync(file, 'utf8')) as Measured

export const saveMeasured = (measured: Measured): void =>
  writeFileSync(file, `${JSON.stringify(measured, shortened, 2)}\n`)

/** Four digits are more than was measured. */
const shortened = (_key: string, value: unknown) =>
  typeof value === 'number' ? Number(value.toPrecision(4)) : value

/** The simulation's result for a measured load, by the costs of as many processes. */
export const predicted = (
  { costs, costsOfTwo }: Measured,
  { apis, workers, coreMs }: FullLoad,
  paymentsPerBlock: number,
) => limitOf(workers === 1 ? costs : costsOfTwo, { apis, workers, chains: 1 }, coreMs, paymentsPerBlock)
