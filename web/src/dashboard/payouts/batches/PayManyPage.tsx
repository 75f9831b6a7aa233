import { type ChangeEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { CowryError } from '../../../../../client/index.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Section } from '../../../ui/Section.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { saveFile } from '../../books/downloadFile.ts'
import { useBusiness } from '../../business/business.ts'
import { trimmed } from '../../formData.ts'
import { createFormKeys } from '../../formKeys.ts'
import { useApi } from '../../session/session.ts'
import { payoutsPath } from '../paths.ts'
import { columns, type Entry, type LineMistake, mistakesOf, readBatchCsv, template } from './batchCsv.ts'
import type { Check } from './batchLabels.ts'
import { MistakeTable } from './MistakeTable.tsx'
import { batchPath } from './paths.ts'
import { readText } from './readText.ts'
import { SendBatch } from './SendBatch.tsx'

type Outcome =
  | { kind: 'mistakes'; mistakes: LineMistake[]; isCut: boolean }
  | { kind: 'checked'; entries: Entry[]; reference: string; check: Check }

/** As many wrong fields as an answer names. */
const maxFields = 50

/** Many payouts from a file: it is checked whole, then shown with its total, then sent. */
export function PayManyPage() {
  const api = useApi()
  const { business, develops } = useBusiness()
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [fileName, setFileName] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome>()
  const [keyOf] = useState(() => createFormKeys())
  async function chosen({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const file = target.files?.[0]
    if (!file) return
    setOutcome(undefined)
    setText('')
    setFileName(undefined)
    try {
      setText(await readText(file))
      setFileName(file.name)
    } catch (error) {
      const mistake = { line: null, column: null, message: (error as Error).message }
      setOutcome({ kind: 'mistakes', mistakes: [mistake], isCut: false })
    } finally {
      // A browser reports a choice only where it changes: the same name may be of the corrected file.
      target.value = ''
    }
  }
  async function check(data: FormData): Promise<void> {
    setOutcome(undefined)
    const { entries, mistakes } = readBatchCsv(text)
    if (mistakes.length > 0) return setOutcome({ kind: 'mistakes', mistakes, isCut: false })
    const payouts = entries.map(({ payout }) => payout)
    try {
      const path = { businessId: business.id }
      const answer = await api.call('checkPayoutBatchOfBusiness', { path, body: { payouts } })
      setOutcome({ kind: 'checked', entries, reference: trimmed(data, 'reference'), check: answer })
    } catch (error) {
      if (!(error instanceof CowryError) || !error.fields?.length) throw error
      const isCut = error.fields.length >= maxFields
      setOutcome({ kind: 'mistakes', mistakes: mistakesOf(error.fields, entries), isCut })
    }
  }
  return (
    <Page
      title="Pay many"
      tab={`Pay many · ${business.name}`}
      lead={<Link href={payoutsPath(business.id)}>All payouts</Link>}
    >
      {develops ? (
        <>
          <Section
            title="The file"
            lead="Up to 1,000 payouts as CSV, a line each. Nothing is sent before you have seen the whole."
          >
            <Form submit="Check the file" send={check}>
              <Field
                name="file"
                label="File"
                hint={fileName && `Read: ${fileName}`}
                type="file"
                accept=".csv,.txt,text/csv,text/plain"
                onChange={(event) => void chosen(event)}
              />
              <TextArea
                name="lines"
                label="Or paste its lines"
                rows={8}
                spellCheck={false}
                required
                value={text}
                onChange={(event) => {
                  setText(event.target.value)
                  setFileName(undefined)
                  setOutcome(undefined)
                }}
              />
              <Field
                name="reference"
                label="Reference"
                hint="For you, of the whole batch. May stay empty."
                maxLength={200}
                autoComplete="off"
                onChange={() => setOutcome(undefined)}
              />
            </Form>
            <Columns />
          </Section>
          <div role="status" aria-live="polite">
            {outcome?.kind === 'mistakes' && (
              <Section title="Nothing was sent" lead="Mend these lines, then check the file again.">
                <MistakeTable mistakes={outcome.mistakes} isCut={outcome.isCut} />
              </Section>
            )}
            {outcome?.kind === 'checked' && (
              <SendBatch
                {...outcome}
                keyOf={keyOf}
                onCreated={({ id }) => navigate(batchPath(business.id, id))}
              />
            )}
          </div>
        </>
      ) : (
        <Empty title="You cannot pay out for this business.">
          <p>Its developers and owners can, unless it is suspended.</p>
        </Empty>
      )}
    </Page>
  )
}

function Columns() {
  const save = () => saveFile(new Blob(['\ufeff', template], { type: 'text/csv' }), 'payouts-template.csv')
  return (
    <details>
      <summary>Columns of the file</summary>
      <dl className="facts">
        {Object.entries(columns).map(([name, about]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <p>
        <button type="button" className="button" onClick={save}>
          Save the template
        </button>
      </p>
    </details>
  )
}
