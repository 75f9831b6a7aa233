import { transactionId } from './codecs.ts'
import { type ChainName, chainNames, knownChain } from './registry.ts'

/** A hash in the form in which each chain stores it: the same text may be valid in several families. */
export function namedTransactions(text: string): { txId: string; chain: ChainName }[] {
  return chainNames.flatMap((chain) => {
    const family = knownChain(chain)?.family
    const txId = family === undefined ? null : transactionId(family, text)
    return txId === null ? [] : [{ txId, chain }]
  })
}
