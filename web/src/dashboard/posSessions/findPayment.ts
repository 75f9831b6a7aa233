import type { DashboardAnswerOf } from '../../../../client/index.ts'
import type { Tone } from '../../ui/Badge.tsx'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import type { Chain } from '../payments/accepted.ts'

export type Explanation = DashboardAnswerOf<'explainTransactionOfBusiness'>
export type Outcome = Explanation['outcome']

const evm = ['ethereum', 'polygon', 'bsc', 'base', 'arbitrum', 'optimism'] as const

/** The forms of transactions' ids, and the networks that have them. */
const forms: readonly { form: RegExp; chains: readonly Chain[] }[] = [
  { form: /0x[0-9a-f]{64}(?![0-9a-f])/i, chains: evm },
  { form: /(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/i, chains: ['tron', 'stellar'] },
  { form: /(?<![1-9A-Za-z])[1-9A-HJ-NP-Za-km-z]{80,90}(?![1-9A-Za-z])/, chains: ['solana'] },
]

/** A transaction's id in a text, such as the address of a block explorer's page; null if there is none. */
export function transactionIn(text: string): { txId: string; chains: readonly Chain[] } | null {
  for (const { form, chains } of forms) {
    const [txId] = form.exec(text) ?? []
    if (txId) return { txId, chains }
  }
  return null
}

const isElsewhere = ({ outcome }: Explanation) => outcome === 'not_found' || outcome === 'other_chain'

/**
 * Looks for a transaction on the networks that have ids of its form, until one has it.
 * @param explain of one network
 * @throws FieldProblem naming `tx`
 */
export async function findTransaction(
  text: string,
  networks: readonly Chain[],
  explain: (chain: Chain, txId: string) => Promise<Explanation>,
): Promise<Explanation> {
  const found = transactionIn(text)
  if (!found)
    throw new FieldProblem({
      tx: 'Enter the whole id (hash) of a transaction, or the address of its page in a block explorer.',
    })
  const chains = found.chains.filter((chain) => networks.includes(chain))
  const [first, ...others] = chains
  if (first === undefined)
    throw new FieldProblem({ tx: 'No network of this deployment has transactions with such an id.' })
  let answer = await explain(first, found.txId)
  // On EVM chains the answer names the network that has it.
  if (answer.otherChain) return explain(answer.otherChain as Chain, found.txId)
  if (evm.some((chain) => chain === first)) return answer
  for (const chain of others) {
    if (!isElsewhere(answer)) return answer
    answer = await explain(chain, found.txId)
  }
  return answer
}

interface Words {
  title: string
  tone: Tone
  /** What to do now. */
  advice: string
}

export const outcomeLabels: Record<Outcome, Words> = {
  credited: {
    title: 'It arrived, and is credited to you',
    tone: 'good',
    advice: 'Nothing is to be done. If your customer asks, show them the payment’s page.',
  },
  late: {
    title: 'It arrived late',
    tone: 'wait',
    advice: 'The money is yours. Open the payment to accept it, to refund it, or to leave it.',
  },
  wrong_token: {
    title: 'Another token came',
    tone: 'wait',
    advice:
      'Open the payment: a token that you accept can be accepted in its place, or refunded. A token that is not accepted was not credited; ask the operator of the platform about it.',
  },
  wrong_chain: {
    title: 'It came on another network',
    tone: 'wait',
    advice: 'Open the payment: you can accept the money there, or refund it.',
  },
  not_final: {
    title: 'It is there, and not final yet',
    tone: 'wait',
    advice: 'Wait. The payment’s page shows how far it is; the network decides how long it takes.',
  },
  not_read: {
    title: 'It is in a block that was not read yet',
    tone: 'wait',
    advice:
      'Look again in a minute. If this stays, give the operator of the platform the network and the transaction.',
  },
  zero_value: {
    title: 'It moves nothing',
    tone: 'bad',
    advice: 'Ask your customer to pay: this transaction carries an amount of zero.',
  },
  failed: {
    title: 'It failed on the network',
    tone: 'bad',
    advice: 'No money moved. Ask your customer to pay again.',
  },
  pending: {
    title: 'It is sent, and not in a block yet',
    tone: 'wait',
    advice: 'Wait. A transaction with a low fee can take long; your customer’s wallet can often speed it up.',
  },
  not_watched: {
    title: 'It went to an address that is not yours',
    tone: 'bad',
    advice:
      'Ask your customer which address they paid, and compare it with the one on the payment’s page. Money that went elsewhere cannot be fetched back from here.',
  },
  not_found: {
    title: 'No network that is read here knows it',
    tone: 'bad',
    advice:
      'Check that the whole id was copied, and on which network your customer paid. A transaction that was sent seconds ago may need a moment.',
  },
  other_chain: {
    title: 'It is on another network',
    tone: 'wait',
    advice: 'Look for it on the network that is named.',
  },
  reverted: {
    title: 'The network took it back',
    tone: 'bad',
    advice:
      'It may come again in another block by itself. If it does not within some minutes, ask your customer to pay again.',
  },
  no_movement: {
    title: 'It moved no money',
    tone: 'bad',
    advice: 'Ask your customer for the transaction of the payment; this one did something else.',
  },
}
