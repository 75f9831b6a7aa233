import type { BridgeSpeed } from '../chains/bridging.ts'
import type { Chain } from '../chains/registry.ts'

/**
 * How long Circle usually takes to sign a burn, by its chain (developers.circle.com/cctp, "Finality and block
 * confirmations").
 */
const standard: Readonly<Record<string, number>> = { polygon: 10, solana: 25 }
const fast: Readonly<Record<string, number>> = { ethereum: 20 }
const [otherStandard, otherFast] = [1020, 8]

type Source = Pick<Chain, 'name' | 'confirmations' | 'byFinalizedTag' | 'blockMs'>

const signingSeconds = (chain: string, speed: BridgeSpeed): number =>
  speed === 'fast' ? (fast[chain] ?? otherFast) : (standard[chain] ?? otherStandard)

/**
 * Until our own nodes confirm what a chain has mined. Chains that are confirmed by their final block have it
 * within seconds.
 */
const confirmingSeconds = ({ confirmations, byFinalizedTag, blockMs }: Source): number =>
  byFinalizedTag ? 10 : Math.ceil((confirmations * blockMs) / 1000)

/**
 * How long a transfer usually takes: until burn and mint are confirmed here. Circle signs while the burn is
 * confirmed.
 */
export const usualSeconds = (source: Source, destination: Source, speed: BridgeSpeed): number =>
  Math.max(signingSeconds(source.name, speed), confirmingSeconds(source)) + confirmingSeconds(destination)

/** How long Circle usually still takes when the burn is confirmed here. */
export const secondsToSign = (source: Source, speed: BridgeSpeed): number =>
  Math.max(signingSeconds(source.name, speed) - confirmingSeconds(source), 0)
