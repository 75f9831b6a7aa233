import { xdr } from '@stellar/stellar-sdk'
import type { OperationContext } from './context.ts'
import { invokeContract } from './contract.ts'
import { beginSponsoring, bumpSequence, endSponsoring, manageData, setOptions } from './opAccount.ts'
import { claimClaimableBalance, createClaimableBalance } from './opClaimable.ts'
import { manageBuyOffer, manageSellOffer } from './opOffers.ts'
import { pathPaymentStrictReceive, pathPaymentStrictSend } from './opPaths.ts'
import { accountMerge, createAccount, payment } from './opPayments.ts'
import { changeTrust, clawback, lineAsset, setTrustLineFlags } from './opTrust.ts'
import { accountOf, assetOf, baseOf, issuerOf, nativeAsset } from './values.ts'

/** Index into an account's thresholds: Stellar docs, "Signatures and multisig", "Operation thresholds". */
export type ThresholdLevel = 1 | 2 | 3

export function levelOf(body: xdr.OperationBody): ThresholdLevel {
  switch (body.type) {
    case 'bumpSequence':
    case 'setTrustLineFlags':
    case 'allowTrust':
    case 'claimClaimableBalance':
    case 'inflation':
      return 1
    case 'accountMerge':
      return 3
    case 'setOptions': {
      const { masterWeight, lowThreshold, medThreshold, highThreshold, signer } = body.setOptionsOp
      return [masterWeight, lowThreshold, medThreshold, highThreshold, signer].some((each) => each !== null)
        ? 3
        : 2
    }
    default:
      return 2
  }
}

/** @returns null for unsupported operations: refused with `op_not_supported` */
export function apply(context: OperationContext, body: xdr.OperationBody): xdr.OperationResultTr | null {
  switch (body.type) {
    case 'createAccount':
      return createAccount(context, body.createAccountOp)
    case 'payment':
      return payment(context, body.paymentOp)
    case 'pathPaymentStrictReceive':
      return pathPaymentStrictReceive(context, body.pathPaymentStrictReceiveOp)
    case 'pathPaymentStrictSend':
      return pathPaymentStrictSend(context, body.pathPaymentStrictSendOp)
    case 'manageSellOffer':
      return manageSellOffer(context, body.manageSellOfferOp)
    case 'manageBuyOffer':
      return manageBuyOffer(context, body.manageBuyOfferOp)
    case 'setOptions':
      return setOptions(context, body.setOptionsOp)
    case 'changeTrust':
      return changeTrust(context, body.changeTrustOp)
    case 'accountMerge':
      return accountMerge(context, body.destination)
    case 'manageData':
      return manageData(context, body.manageDataOp)
    case 'bumpSequence':
      return bumpSequence(context, body.bumpSequenceOp)
    case 'createClaimableBalance':
      return createClaimableBalance(context, body.createClaimableBalanceOp)
    case 'claimClaimableBalance':
      return claimClaimableBalance(context, body.claimClaimableBalanceOp)
    case 'beginSponsoringFutureReserves':
      return beginSponsoring(context, body.beginSponsoringFutureReservesOp)
    case 'endSponsoringFutureReserves':
      return endSponsoring(context)
    case 'invokeHostFunction':
      return invokeContract(context, body.invokeHostFunctionOp, context.tx.ledger.assetOfContract)
    case 'clawback':
      return clawback(context, body.clawbackOp)
    case 'setTrustLineFlags':
      return setTrustLineFlags(context, body.setTrustLineFlagsOp)
    default:
      return null
  }
}

const samePair = (
  op: { selling: xdr.Asset; buying: xdr.Asset; price: xdr.Price; offerId: bigint },
  amount: bigint,
): boolean =>
  assetOf(op.selling) === assetOf(op.buying) ||
  amount < 0n ||
  op.price.n <= 0 ||
  op.price.d <= 0 ||
  op.offerId < 0n ||
  (amount === 0n && op.offerId === 0n)

/** Claimants: 1 to 10, no duplicate account, sound predicates (CAP-23). */
function badClaimants(claimants: readonly xdr.Claimant[]): boolean {
  const accounts = claimants.map(({ v0 }) => accountOf(v0.destination))
  return (
    accounts.length === 0 ||
    new Set(accounts).size < accounts.length ||
    claimants.some(({ v0 }) => badPredicate(v0.predicate, 1))
  )
}

/** At most four deep; two parts of an "and" and an "or", one of a "not"; no time before zero. */
function badPredicate(predicate: xdr.ClaimPredicate, depth: number): boolean {
  if (depth > 4) return true
  switch (predicate.type) {
    case 'claimPredicateAnd':
      return (
        predicate.andPredicates.length !== 2 ||
        predicate.andPredicates.some((each) => badPredicate(each, depth + 1))
      )
    case 'claimPredicateOr':
      return (
        predicate.orPredicates.length !== 2 ||
        predicate.orPredicates.some((each) => badPredicate(each, depth + 1))
      )
    case 'claimPredicateNot':
      return predicate.notPredicate === null || badPredicate(predicate.notPredicate, depth + 1)
    case 'claimPredicateBeforeAbsoluteTime':
      return predicate.absBefore < 0n
    case 'claimPredicateBeforeRelativeTime':
      return predicate.relBefore < 0n
    default:
      return false
  }
}

const maxWeight = 255

function badOptions(op: xdr.SetOptionsOp, source: string): xdr.SetOptionsResult | null {
  const { SetOptionsResult: Result } = xdr
  const knownFlags = 0xf
  if (((op.setFlags ?? 0) | (op.clearFlags ?? 0)) & ~knownFlags) return Result.setOptionsUnknownFlag()
  if ((op.setFlags ?? 0) & (op.clearFlags ?? 0)) return Result.setOptionsBadFlags()
  const weights = [op.masterWeight, op.lowThreshold, op.medThreshold, op.highThreshold]
  if (weights.some((weight) => weight !== null && weight > maxWeight))
    return Result.setOptionsThresholdOutOfRange()
  if (!op.signer) return null
  const { key, weight } = op.signer
  const supported = key.type === 'signerKeyTypeEd25519' || key.type === 'signerKeyTypeHashX'
  const isMaster =
    key.type === 'signerKeyTypeEd25519' &&
    accountOf(xdr.PublicKey.publicKeyTypeEd25519(key.ed25519.value)) === source
  return !supported || isMaster || weight > maxWeight ? Result.setOptionsBadSigner() : null
}

/**
 * The result for an operation that is invalid in any ledger state: the transaction is refused. Null if valid.
 */
export function malformed(body: xdr.OperationBody, source: string): xdr.OperationResult | null {
  const Tr = xdr.OperationResultTr
  const bad = badPayment(body, source, Tr) ?? badShape(body, source, Tr)
  return bad && xdr.OperationResult.opInner(bad)
}

function badPayment(
  body: xdr.OperationBody,
  source: string,
  Tr: typeof xdr.OperationResultTr,
): xdr.OperationResultTr | null {
  switch (body.type) {
    case 'createAccount': {
      const { startingBalance, destination } = body.createAccountOp
      const bad = startingBalance < 0n || accountOf(destination) === source
      return bad ? Tr.createAccount(xdr.CreateAccountResult.createAccountMalformed()) : null
    }
    case 'payment':
      return body.paymentOp.amount <= 0n ? Tr.payment(xdr.PaymentResult.paymentMalformed()) : null
    case 'pathPaymentStrictReceive': {
      const { destAmount, sendMax } = body.pathPaymentStrictReceiveOp
      const result = xdr.PathPaymentStrictReceiveResult.pathPaymentStrictReceiveMalformed()
      return destAmount <= 0n || sendMax <= 0n ? Tr.pathPaymentStrictReceive(result) : null
    }
    case 'pathPaymentStrictSend': {
      const { sendAmount, destMin } = body.pathPaymentStrictSendOp
      const result = xdr.PathPaymentStrictSendResult.pathPaymentStrictSendMalformed()
      return sendAmount <= 0n || destMin <= 0n ? Tr.pathPaymentStrictSend(result) : null
    }
    default:
      return null
  }
}

function badShape(
  body: xdr.OperationBody,
  source: string,
  Tr: typeof xdr.OperationResultTr,
): xdr.OperationResultTr | null {
  switch (body.type) {
    case 'manageSellOffer': {
      const op = body.manageSellOfferOp
      return samePair(op, op.amount)
        ? Tr.manageSellOffer(xdr.ManageSellOfferResult.manageSellOfferMalformed())
        : null
    }
    case 'manageBuyOffer': {
      const op = body.manageBuyOfferOp
      return samePair(op, op.buyAmount)
        ? Tr.manageBuyOffer(xdr.ManageBuyOfferResult.manageBuyOfferMalformed())
        : null
    }
    case 'setOptions': {
      const bad = badOptions(body.setOptionsOp, source)
      return bad && Tr.setOptions(bad)
    }
    case 'changeTrust': {
      const { line, limit } = body.changeTrustOp
      const asset = lineAsset(line)
      const bad = limit < 0n || asset === nativeAsset || (asset !== null && issuerOf(asset) === source)
      return bad ? Tr.changeTrust(xdr.ChangeTrustResult.changeTrustMalformed()) : null
    }
    case 'accountMerge':
      return baseOf(body.destination) === source
        ? Tr.accountMerge(xdr.AccountMergeResult.accountMergeMalformed())
        : null
    case 'bumpSequence':
      return body.bumpSequenceOp.bumpTo < 0n
        ? Tr.bumpSequence(xdr.BumpSequenceResult.bumpSequenceBadSeq())
        : null
    case 'createClaimableBalance': {
      const { amount, claimants } = body.createClaimableBalanceOp
      const result = xdr.CreateClaimableBalanceResult.createClaimableBalanceMalformed()
      return amount <= 0n || badClaimants(claimants) ? Tr.createClaimableBalance(result) : null
    }
    case 'clawback': {
      const { amount, from, asset } = body.clawbackOp
      const bad = amount <= 0n || baseOf(from) === source || issuerOf(assetOf(asset)) !== source
      return bad ? Tr.clawback(xdr.ClawbackResult.clawbackMalformed()) : null
    }
    case 'setTrustLineFlags': {
      const { setFlags, clearFlags, asset, trustor } = body.setTrustLineFlagsOp
      const bad =
        (setFlags & clearFlags) !== 0 || issuerOf(assetOf(asset)) !== source || accountOf(trustor) === source
      return bad ? Tr.setTrustLineFlags(xdr.SetTrustLineFlagsResult.setTrustLineFlagsMalformed()) : null
    }
    case 'beginSponsoringFutureReserves': {
      const result = xdr.BeginSponsoringFutureReservesResult.beginSponsoringFutureReservesMalformed()
      return accountOf(body.beginSponsoringFutureReservesOp.sponsoredId) === source
        ? Tr.beginSponsoringFutureReserves(result)
        : null
    }
    default:
      return null
  }
}
