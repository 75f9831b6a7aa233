import { useEffect, useState } from 'react'
import type { DashboardAnswerOf } from '../../../../client/index.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { decimalForm, type PayoutDraft } from './payoutForm.ts'

type Estimate = DashboardAnswerOf<'estimatePayout'>

interface Props extends Pick<PayoutDraft, 'amount' | 'destinationId'> {
  source: PayoutDraft['source'] | undefined
}

/** A person has stopped typing. */
const quietMs = 400

/** The fee and what arrives, as creating the payout would price it, while the form is filled in. */
export function FeePreview({ source, amount, destinationId }: Props) {
  const api = useApi()
  const { business } = useBusiness()
  const [known, setKnown] = useState<{ of: string; estimate: Estimate }>()
  const chain = source?.chain
  const token = source?.token
  const isWhole = decimalForm.test(amount) && /[1-9]/.test(amount) && destinationId !== ''
  const of = [chain, token, amount, destinationId].join(' ')
  useEffect(() => {
    if (!isWhole || chain === undefined || token === undefined) return
    const ending = new AbortController()
    const timer = setTimeout(() => {
      api
        .call('estimatePayout', {
          path: { businessId: business.id },
          query: { chain, token, amount, destinationId },
          signal: ending.signal,
        })
        .then((estimate) => setKnown({ of, estimate }))
        // What is wrong is shown at its field when the form is sent.
        .catch(() => {})
    }, quietMs)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [api, business.id, isWhole, chain, token, amount, destinationId, of])
  const estimate = isWhole && known?.of === of ? known.estimate : undefined
  return (
    <p className="fine" role="status" aria-label="Fee">
      {estimate
        ? `Fee ${estimate.fee} ${estimate.feeCurrency}. ${estimate.receiveAmount} ${estimate.receiveCurrency} arrives.`
        : 'The fee is shown here once the amount is entered.'}
    </p>
  )
}
