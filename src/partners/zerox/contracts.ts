/**
 * 0x's contracts, at the same addresses on all six chains (github.com/0xProject/0x-settler, README).
 * AllowanceHolder is the one that takes allowances; it spends them only in a call of their owner.
 */
export const allowanceHolder = '0x0000000000001ff3684f28c67538d4d072c22734'

/** The registry of Settlers, the contracts that swap. */
export const settlerDeployer = '0x00000000000004533fe15556b1e086bb1a72ceae'

/** The feature of Settlers for swaps that the taker sends. */
const takerSubmitted = 2n.toString(16).padStart(64, '0')

/**
 * `ownerOf(2)`: the present Settler; it reverts while 0x has paused them. `prev(2)`: the one before, which
 * 0x's API may still use.
 */
export const settlerReads = ['0x6352211e', '0xe2603dc2'].map((selector) => ({
  to: settlerDeployer,
  data: selector + takerSubmitted,
}))
