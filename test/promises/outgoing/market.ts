import { type Dice, pick } from '../histories/dice.ts'

/** What a block demands of its transactions, in wei for each unit of gas. */
export interface Price {
  baseFee: bigint
  /** The lowest tip that the block takes. */
  tip: bigint
}

export interface Market {
  /** The price of the next block. */
  next(): Price
  /** Starts a spike: the base fee rises by an eighth for each of `blocks`, and the tip with it. */
  spike(blocks: number): void
  /** Ends spikes. */
  calm(): void
}

const usual = { baseFee: 10n ** 9n, tip: 5n * 10n ** 7n }
/** Twenty times the usual base fee, and a little more. */
export const spikeBlocks = 27

/** The base fee changes by at most an eighth from block to block (EIP-1559). */
export function createMarket(dice: Dice): Market {
  let { baseFee, tip } = usual
  let rising = 0
  return {
    next() {
      if (rising > 0) {
        rising--
        baseFee = (baseFee * 9n) / 8n
        tip = (tip * (10n + BigInt(pick(dice, 3)))) / 10n
      } else if (baseFee > usual.baseFee) {
        baseFee = (baseFee * 7n) / 8n
        tip = tip > usual.tip ? (tip * 3n) / 4n : tip
      } else {
        baseFee = (usual.baseFee * BigInt(90 + pick(dice, 21))) / 100n
        tip = (usual.tip * BigInt(80 + pick(dice, 41))) / 100n
      }
      return { baseFee, tip }
    },
    spike: (blocks) => {
      rising = blocks
    },
    calm: () => {
      rising = 0
    },
  }
}
