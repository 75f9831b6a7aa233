import type { BridgeSpeed } from '../chains/bridging.ts'

/** How long Circle usually takes to sign a burn, by its chain (developers.circle.com/cctp, "Finality and block confirmations"). */
const standard: Readonly<Record<string, number>> = { ethereum: 1020, optimism: 1020, arbitrum: 1020, base: 1020, polygon: 10, solana: 25 }
const fast: Readonly<Record<string, number>> = { ethereum: 20 }
const [otherStandard, otherFast] = [1020, 8]

export const usualSeconds = (sourceChain: string, speed: BridgeSpeed): number =>
  speed === 'fast' ? (fast[sourceChain] ?? otherFast) : (standard[sourceChain] ?? otherStandard)
