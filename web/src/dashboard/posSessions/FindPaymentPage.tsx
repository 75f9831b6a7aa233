import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { Badge } from '../../ui/Badge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useBusiness } from '../business/business.ts'
import { trimmed } from '../formData.ts'
import { chainLabel } from '../labels.ts'
import { useApi } from '../session/session.ts'
import { type Explanation, findTransaction, outcomeLabels } from './findPayment.ts'
import { sessionPath, sessionsPath } from './paths.ts'
import { TransactionId } from './TransactionId.tsx'
import { useExplorers } from './useExplorers.ts'

/** "Where is my payment?": what became of a transaction, and what to do. */
export function FindPaymentPage() {
  const api = useApi()
  const { business } = useBusiness()
  const [search] = useSearchParams()
  const [found, setFound] = useState<Explanation>()
  const path = { businessId: business.id }
  async function find(data: FormData): Promise<void> {
    setFound(undefined)
    const { networks } = await api.call('getPaymentSettings', { path })
    const chains = networks.map(({ chain }) => chain)
    setFound(
      await findTransaction(trimmed(data, 'tx'), chains, (chain, txId) =>
        api.call('explainTransactionOfBusiness', { path: { ...path, chain, txId } }),
      ),
    )
  }
  return (
    <Page
      title="Where is my payment?"
      tab={`Where is my payment? · ${business.name}`}
      lead={<Link href={sessionsPath(business.id)}>All payments</Link>}
    >
      <Form submit="Look for it" send={find}>
        <Field
          name="tx"
          label="Transaction"
          hint="Its id (hash), as your customer’s wallet shows it, or the address of its page in a block explorer."
          required
          maxLength={300}
          defaultValue={search.get('tx') ?? ''}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Form>
      <div aria-live="polite">{found && <Answer found={found} />}</div>
    </Page>
  )
}

function Answer({ found }: { found: Explanation }) {
  const { business } = useBusiness()
  const explorers = useExplorers()
  const { title, tone, advice } = outcomeLabels[found.outcome]
  const [main] = found.movements
  const session = main?.session ?? null
  return (
    <Section title={title}>
      <p>{advice}</p>
      {session && (
        <Link className="button primary fit" href={sessionPath(business.id, session.id)}>
          Open the payment{session.reference === null ? '' : ` ${session.reference}`}
        </Link>
      )}
      <Facts
        facts={[
          [
            'Outcome',
            <Badge key="outcome" tone={tone}>
              {title}
            </Badge>,
          ],
          ['Why', found.message],
          ['Network', chainLabel(found.chain)],
          ['Transaction', <TransactionId key="tx" {...found} explorers={explorers} />],
          ...(main?.amount ? [['Amount', `${main.amount} ${main.token}`] satisfies [string, string]] : []),
          ...(main ? [['To', <code key="to">{main.to}</code>] satisfies [string, unknown]] : []),
          ...(found.block
            ? [['In a block since', <Time key="time" at={found.block.time} />] satisfies [string, unknown]]
            : []),
        ]}
      />
    </Section>
  )
}
