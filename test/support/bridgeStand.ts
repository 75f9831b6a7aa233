import type { AttestedMessage } from '../../src/bridge/attestations.ts'
import type { BridgeContext, BridgeStep, BridgingChain } from '../../src/bridge/context.ts'
import type { BridgeReader, MintSearch, Mints } from '../../src/chains/bridging.ts'
import { decodeMessage, type MessageHex } from '../../src/chains/cctpMessage.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'

/** Circle and a destination that answer at once, for a worker of bridge transfers. */
export interface BridgeStand {
  ctx: BridgeContext
  /** Circle's messages, by the transaction of the burn. */
  signed: Map<string, MessageHex>
  /** Transactions of burns in requests to Circle. */
  asked: string[]
  /** Where messages were used, by nonce. */
  used: Map<string, 'newest' | 'confirmed'>
  /** Unused by one node, while others do not agree. */
  doubted: Set<string>
  /** Mints by transaction. */
  mints: Map<string, Mints>
  searches: MintSearch[]
  /** Answers of searches before one finds its mint. */
  misses: (string | null)[]
  steps: BridgeStep[]
}

const mintOf = (nonce: string): string => `0x${nonce.slice(2).split('').toReversed().join('')}`

/** Someone mints a message. @returns the transaction */
export function mintOnStand(
  stand: BridgeStand,
  message: MessageHex,
  standing: Mints['standing'] = 'confirmed',
): string {
  const decoded = decodeMessage(message)
  if (!decoded) throw new Error('not a message')
  const txId = mintOf(decoded.nonce)
  stand.used.set(decoded.nonce, 'confirmed')
  stand.mints.set(txId, { standing, messages: [decoded] })
  return txId
}

export function bridgeStand(db: Db): BridgeStand {
  const unused = () => Promise.reject(new Error('not part of the stand'))
  const stand: Omit<BridgeStand, 'ctx'> = {
    ...{
      signed: new Map(),
      asked: [],
      used: new Map(),
      doubted: new Set(),
      mints: new Map(),
      searches: [],
      misses: [],
      steps: [],
    },
  }
  const messages = async (_domain: number, txId: string): Promise<AttestedMessage[]> => {
    stand.asked.push(txId)
    const message = stand.signed.get(txId) ?? null
    return [{ message, attestation: message && '0x11', delay: null, forwardTxId: null }]
  }
  const reader: BridgeReader = {
    ...{ minFee: unused, burnLimit: unused, mintProblem: unused },
    usedIn: async (nonce) => stand.used.get(nonce) ?? 'nowhere',
    isUnused: async (nonce) => !stand.doubted.has(nonce) && !stand.used.has(nonce),
    async findMint(nonce, search) {
      stand.searches.push(search)
      const missed = stand.misses.shift()
      if (missed !== undefined) return { txId: null, cursor: missed }
      return { txId: stand.mints.has(mintOf(nonce)) ? mintOf(nonce) : null, cursor: null }
    },
    mintsIn: async (txId) => stand.mints.get(txId) ?? { standing: 'absent', messages: [] },
  }
  const ctx: BridgeContext = {
    db,
    log: createLog('test', 'silent'),
    purposes: [],
    prover: { prove: () => Buffer.alloc(0) } as unknown as BridgeContext['prover'],
    attestations: { perSecond: 1_000_000, fees: unused, messages, reattest: unused },
    bridging: async () => ({ chain: { family: 'evm', blockMs: 1000 }, reader }) as unknown as BridgingChain,
    ...{ firstQuestionMs: 0, pollMs: 1000, forwardMs: 1000 },
    observe: (step) => void stand.steps.push(step),
  }
  return { ...stand, ctx }
}
