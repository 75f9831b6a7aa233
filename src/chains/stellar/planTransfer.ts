import { formatUnits } from '../../money/amount.ts'
import type { TransferSpec } from '../action.ts'
import { refuseKeylessRecipient } from '../keylessAddress.ts'
import type { Chain } from '../registry.ts'
import {
  type ActionPlan,
  ActionRefusedError,
  RecipientNotReadyError,
  type RefusalReason,
  type Shortage,
} from '../sending.ts'
import { unmuxed } from './address.ts'
import { issuerOf } from './asset.ts'
import { bidsOf, lifetimeSeconds } from './bids.ts'
import { freeOf } from './ledgerEntries.ts'
import { decodeStrKey } from './strkey.ts'
import type { StellarTerms } from './terms.ts'
import type { TransferFacts } from './transferFacts.ts'

type Token = NonNullable<TransferSpec['token']>

const decimals = 7

/** @throws ActionRefusedError */
export function refuseContract(to: string): void {
  if (decodeStrKey(to)?.kind !== 'contract') return
  throw new ActionRefusedError(
    'recipient_not_found',
    'The recipient is a contract: payments to contracts are not supported',
    'toAddress',
  )
}

/**
 * Base reserves that the sender of a claimable balance keeps until it is claimed: one for each claimant
 * (CAP-23).
 */
const claimants = 2n

/**
 * Terms and costs of a transfer. Checks the recipient before the sender, as the chain does.
 * @throws ActionRefusedError; RecipientNotReadyError for a transfer that waits for its recipient
 */
export function planTransfer(
  chain: Pick<Chain, 'native'>,
  transfer: TransferSpec,
  facts: TransferFacts,
): ActionPlan {
  refuseRecipient(transfer, facts)
  const obstacle = transfer.token && refusalOfLine(transfer.token, transfer.amount, facts)
  const isClaimable = obstacle !== null && mayBeClaimable(transfer)
  const waits = obstacle !== null && transfer.ifNoTrustline?.kind === 'wait'
  if (obstacle && !isClaimable && !waits) throw obstacle
  if (facts.memoRequired && transfer.memo === null && !transfer.to.startsWith('M')) {
    throw new ActionRefusedError('memo_required', 'The recipient requires a memo', 'memo')
  }
  refuseSender(transfer, facts)
  const { usual, bid } = bidsOf(facts.fees)
  const maxTime = facts.closeTime + lifetimeSeconds
  const creates = facts.recipient === null && transfer.token === null
  const terms: StellarTerms = {
    fee: bid.toString(),
    minTime: 0,
    maxTime,
    creates,
    ...(isClaimable && { claimable: true }),
  }
  // The amount itself opens an account.
  const otherCosts = isClaimable ? claimants * facts.baseReserve : 0n
  const plan = {
    terms,
    fee: { expected: usual, max: bid },
    otherCosts,
    shortages: shortages(chain, transfer, facts, bid + otherCosts),
  }
  if (obstacle && !isClaimable) throw new RecipientNotReadyError(obstacle, plan)
  return plan
}

/** Claimants are two accounts: a balance cannot keep the id of a muxed address. */
function mayBeClaimable({ from, to, ifNoTrustline }: TransferSpec): boolean {
  const { account } = unmuxed(to)
  return ifNoTrustline?.kind === 'claimable' && account === to && account !== unmuxed(from).account
}

function refuseRecipient(
  { to, token, amount }: TransferSpec,
  { recipient, baseReserve }: TransferFacts,
): void {
  refuseKeylessRecipient('stellar', to)
  const { account } = unmuxed(to)
  if (token && issuerOf(token.contract) === account) {
    throw refused(
      'recipient_is_token',
      `The recipient is the issuer of ${token.symbol}: tokens sent there are burned`,
    )
  }
  if (recipient || token) return
  // CreateAccount cannot carry the id of a muxed address.
  if (account !== to)
    throw refused('recipient_not_found', 'The account of the recipient’s muxed address does not exist')
  const min = 2n * baseReserve
  if (amount < min) {
    const message = `The recipient’s account does not exist, and needs at least ${formatUnits(min, decimals)} to open`
    throw new ActionRefusedError('below_minimum_balance', message, 'amount')
  }
}

/** Why the recipient cannot hold the amount at present; null if it can. */
function refusalOfLine(
  { symbol }: Token,
  amount: bigint,
  { recipient, recipientLine: line }: TransferFacts,
): ActionRefusedError | null {
  if (!recipient)
    return refused(
      'recipient_not_found',
      'The recipient’s account does not exist, and only lumens can open it',
    )
  if (!line) return refused('recipient_without_trustline', `The recipient has no trustline for ${symbol}`)
  if (!line.authorized)
    return refused(
      'recipient_without_trustline',
      `The issuer of ${symbol} has not authorized the recipient’s trustline`,
    )
  if (line.balance + line.buying + amount <= line.limit) return null
  const limit = formatUnits(line.limit, decimals)
  return refused(
    'recipient_without_trustline',
    `The limit of the recipient’s trustline for ${symbol}, ${limit}, would be exceeded`,
  )
}

const refused = (reason: RefusalReason, message: string) =>
  new ActionRefusedError(reason, message, 'toAddress')

function refuseSender({ token }: TransferSpec, { sender, senderLine }: TransferFacts): void {
  // A key of weight zero cannot sign, even if the threshold is zero.
  if (sender && (sender.masterWeight === 0 || sender.masterWeight < sender.mediumThreshold)) {
    throw new ActionRefusedError(
      'simulation_failed',
      'The sender’s own key alone may not sign for payments from its account',
    )
  }
  if (token && senderLine?.authorized === false) {
    throw new ActionRefusedError(
      'simulation_failed',
      `The issuer of ${token.symbol} has not authorized the sender to send it`,
    )
  }
}

function shortages(
  { native }: Pick<Chain, 'native'>,
  { from, token, amount }: TransferSpec,
  facts: TransferFacts,
  costs: bigint,
): Shortage[] {
  const { sender, senderLine, baseReserve } = facts
  const needed: Shortage[] = [
    {
      kind: 'native',
      ...native,
      required: token ? costs : amount + costs,
      available: freeOf(sender, baseReserve),
    },
  ]
  // An issuer has no limit on its own token.
  if (token && issuerOf(token.contract) !== unmuxed(from).account) {
    const { symbol } = token
    needed.unshift({
      kind: 'token',
      symbol,
      decimals,
      required: amount,
      available: senderLine ? senderLine.balance - senderLine.selling : 0n,
    })
  }
  return needed.filter(({ required, available }) => available < required)
}
