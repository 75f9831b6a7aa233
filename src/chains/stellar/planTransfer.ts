import type { TransferSpec } from '../action.ts'
import { formatUnits } from '../amount.ts'
import type { Chain } from '../registry.ts'
import { type ActionPlan, ActionRefused, type RefusalReason, type Shortage } from '../sending.ts'
import { unmuxed } from './address.ts'
import { issuerOf } from './asset.ts'
import { bidsOf, lifetimeSeconds } from './bids.ts'
import type { TrustlineState } from './ledgerEntries.ts'
import { decodeStrKey } from './strkey.ts'
import type { StellarTerms } from './terms.ts'
import type { TransferFacts } from './transferFacts.ts'

type Token = NonNullable<TransferSpec['token']>

const decimals = 7

/** @throws ActionRefused */
export function refuseContract(to: string): void {
  if (decodeStrKey(to)?.kind !== 'contract') return
  throw new ActionRefused('recipient_not_found', 'The recipient is a contract: payments to contracts are not supported', 'toAddress')
}

/** Terms and costs of a transfer. Checks the recipient before the sender, as the chain does. @throws ActionRefused */
export function planTransfer(chain: Pick<Chain, 'native'>, transfer: TransferSpec, facts: TransferFacts): ActionPlan {
  refuseRecipient(transfer, facts)
  if (facts.memoRequired && transfer.memo === null && !transfer.to.startsWith('M')) {
    throw new ActionRefused('memo_required', 'The recipient requires a memo', 'memo')
  }
  refuseSender(transfer, facts)
  const { usual, bid } = bidsOf(facts.fees)
  const terms: StellarTerms = { fee: bid.toString(), minTime: 0, maxTime: facts.closeTime + lifetimeSeconds, creates: facts.recipient === null }
  return {
    terms,
    fee: { expected: usual, max: bid },
    // The amount itself opens the account.
    otherCosts: 0n,
    shortages: shortages(chain, transfer, facts, bid),
  }
}

function refuseRecipient({ to, token, amount }: TransferSpec, { recipient, recipientLine, baseReserve }: TransferFacts): void {
  const { account } = unmuxed(to)
  if (token && issuerOf(token.contract) === account) {
    throw refused('recipient_is_token', `The recipient is the issuer of ${token.symbol}: tokens sent there are burned`)
  }
  if (recipient) {
    if (token) refuseLine(token, amount, recipientLine)
    return
  }
  if (token) throw refused('recipient_not_found', 'The recipient’s account does not exist, and only lumens can open it')
  // CreateAccount cannot carry the id of a muxed address.
  if (account !== to) throw refused('recipient_not_found', 'The account of the recipient’s muxed address does not exist')
  const min = 2n * baseReserve
  if (amount < min) {
    const message = `The recipient’s account does not exist, and needs at least ${formatUnits(min, decimals)} to open`
    throw new ActionRefused('below_minimum_balance', message, 'amount')
  }
}

function refuseLine({ symbol }: Token, amount: bigint, line: TrustlineState | null): void {
  if (!line) throw refused('recipient_without_trustline', `The recipient has no trustline for ${symbol}`)
  if (!line.authorized) throw refused('recipient_without_trustline', `The issuer of ${symbol} has not authorized the recipient’s trustline`)
  if (line.balance + line.buying + amount > line.limit) {
    const limit = formatUnits(line.limit, decimals)
    throw refused('recipient_without_trustline', `The limit of the recipient’s trustline for ${symbol}, ${limit}, would be exceeded`)
  }
}

const refused = (reason: RefusalReason, message: string) => new ActionRefused(reason, message, 'toAddress')

function refuseSender({ token }: TransferSpec, { sender, senderLine }: TransferFacts): void {
  // A key of weight zero cannot sign, even if the threshold is zero.
  if (sender && (sender.masterWeight === 0 || sender.masterWeight < sender.mediumThreshold)) {
    throw new ActionRefused('simulation_failed', 'The sender’s own key alone may not sign for payments from its account')
  }
  if (token && senderLine?.authorized === false) {
    throw new ActionRefused('simulation_failed', `The issuer of ${token.symbol} has not authorized the sender to send it`)
  }
}

function shortages({ native }: Pick<Chain, 'native'>, { from, token, amount }: TransferSpec, facts: TransferFacts, fee: bigint): Shortage[] {
  const { sender, senderLine, baseReserve } = facts
  const free = sender ? sender.balance - sender.selling - BigInt(sender.reserves) * baseReserve : 0n
  const needed: Shortage[] = [{ kind: 'native', ...native, required: token ? fee : amount + fee, available: free > 0n ? free : 0n }]
  // An issuer has no limit on its own token.
  if (token && issuerOf(token.contract) !== unmuxed(from).account) {
    const { symbol } = token
    needed.unshift({ kind: 'token', symbol, decimals, required: amount, available: senderLine ? senderLine.balance - senderLine.selling : 0n })
  }
  return needed.filter(({ required, available }) => available < required)
}
