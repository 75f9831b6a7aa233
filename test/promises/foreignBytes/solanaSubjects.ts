import { openJsonRpc } from '../../../src/chains/providers/jsonRpc.ts'
import { createProviders } from '../../../src/chains/providers/providers.ts'
import { solanaBlockReader } from '../../../src/chains/solana/read/blockReader.ts'
import { readByBytes } from '../../support/readByBytes.ts'
import { startRecordedSolana } from '../../support/recordedSolana.ts'
import { configured, gate, MissingMethod, observe } from './configured.ts'
import { type Answers, endpoint, names, readsOf, type Subject } from './subject.ts'
import { withOtherSolanaBytes } from './variants.ts'

const files = [
  'block-254170887.json',
  'block_new_token_account.json',
  'block_with_versioned_tx.json',
] as const

async function subjectOf(file: string): Promise<Subject> {
  const chain = configured('SOLANA')
  const answered = new Map<string, unknown>()
  const versions: ('json' | 'base64')[] = ['json', 'base64']
  let slot = 0
  let whole: SolanaBlock | null = null
  for (const version of versions) {
    const node = await startRecordedSolana(file, version)
    const rpc = openJsonRpc(node.url, 10_000, gate)
    slot = node.slot
    for (const details of ['none', 'full', 'accounts']) {
      const block = (await rpc.call('getBlock', [
        slot,
        { transactionDetails: details, maxSupportedTransactionVersion: 1 },
      ])) as SolanaBlock
      const transactions = block.transactions && part(block.transactions)
      // Half of the transactions as bytes: nodes may answer both forms.
      const known = answered.get(details) as SolanaBlock | undefined
      answered.set(details, {
        ...block,
        ...(transactions && {
          transactions: known?.transactions
            ? transactions.map((each, index) => (index % 2 ? each : known.transactions?.[index]))
            : transactions,
        }),
      })
    }
    whole = answered.get('full') as SolanaBlock
    await rpc.close()
    await node.close()
  }
  const txId = 'x'.repeat(88)
  const truth: Answers = (method, params) => {
    const [, options] = params as [unknown, { transactionDetails?: string } | undefined]
    switch (method) {
      case 'getGenesisHash':
        return chain.network
      case 'getSlot':
        return slot
      case 'getBlocksWithLimit':
        return [slot]
      case 'getBlock':
        return answered.get(options?.transactionDetails ?? 'full')
      case 'getTransaction':
        return { ...whole?.transactions?.[0], slot }
      case 'getSignatureStatuses':
        return { value: [{ confirmationStatus: 'processed' }] }
      default:
        throw new MissingMethod(method)
    }
  }
  return {
    name: `solana ${file}`,
    open: (nodes) =>
      solanaBlockReader({
        providers: createProviders(
          nodes.map((node, index) => (counted) => readByBytes(endpoint(names[index] ?? '', counted, node))),
          { observe },
        ),
        withoutLight: new Set(),
      }),
    truth,
    variant: withOtherSolanaBytes,
    reads: readsOf(slot, [txId]),
  }
}

interface SolanaBlock {
  transactions?: { meta?: { postTokenBalances?: unknown[] } }[]
}

/** The first transactions that moved tokens, and the first of all. */
const part = (transactions: NonNullable<SolanaBlock['transactions']>) => [
  ...transactions.slice(0, 1),
  ...transactions
    .slice(1)
    .filter(({ meta }) => (meta?.postTokenBalances?.length ?? 0) > 0)
    .slice(0, 4),
]

export const solanaSubjects = (): Promise<Subject[]> => Promise.all(files.map(subjectOf))
