import { type FormEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Failed } from './Failed.tsx'
import { FormErrors } from './FormErrors.ts'
import { emptyOrMalformed, errorsOf } from './fieldErrors.ts'

interface Props {
  /** The label of the button. */
  submit: string
  /** Errors are shown at the fields that they name, otherwise above the button. */
  send: (data: FormData) => Promise<void>
  danger?: boolean
  /** Adds a Cancel button in front: a dialog that only needs a confirmation focuses it. */
  onCancel?: () => void
  /** Focuses the first field: for a step that replaces another one. */
  focusFirst?: boolean
  children?: ReactNode
}

/**
 * A form that validates, sends, shows errors at their fields and focuses the first wrong field. Not
 * react-hook-form: the browser validates, and this takes 1.6 kB of the bundle in place of 12.4 kB (gzipped).
 */
export function Form({ submit, send, danger = false, onCancel, focusFirst = false, children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const busy = useRef(false)
  const [sending, setSending] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<unknown>()

  useEffect(() => {
    if (focusFirst && form.current) controlsIn(form.current)[0]?.focus()
  }, [focusFirst])
  // Before the paint: who types as soon as the error is there types into its field.
  useLayoutEffect(() => {
    if (Object.keys(errors).length > 0) firstWrong(form.current, errors)?.focus()
  }, [errors])

  async function submitted(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const element = event.currentTarget
    if (busy.current) return
    const problems = emptyOrMalformed(element)
    setErrors(problems)
    setFailure(undefined)
    if (Object.keys(problems).length > 0) return
    busy.current = true
    setSending(true)
    try {
      await send(new FormData(element))
    } catch (error) {
      const named = errorsOf(error, namesIn(element), (name) => labelIn(element, name))
      setErrors(named)
      if (Object.keys(named).length === 0) setFailure(error)
    } finally {
      busy.current = false
      setSending(false)
    }
  }

  return (
    <form ref={form} className="form" noValidate onSubmit={(event) => void submitted(event)}>
      <FormErrors value={errors}>{children}</FormErrors>
      {failure !== undefined && <Failed error={failure} />}
      <div className={onCancel ? 'dialog-actions' : 'form-actions'}>
        {onCancel && (
          <button type="button" className="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        <button
          type="submit"
          className={danger ? 'button primary danger' : 'button primary'}
          aria-disabled={sending}
        >
          {submit}
        </button>
        <span className="unseen" role="status">
          {sending ? 'One moment…' : ''}
        </span>
      </div>
    </form>
  )
}

function controlsIn(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.elements].filter(
    (element): element is HTMLInputElement => 'name' in element && element.name !== '',
  )
}

const namesIn = (form: HTMLFormElement) => controlsIn(form).map((control) => control.name)

function labelIn(form: HTMLFormElement, name: string): string {
  const label = controlsIn(form).find((control) => control.name === name)?.labels?.[0]
  return label?.textContent?.trim() || 'This'
}

function firstWrong(form: HTMLFormElement | null, errors: Record<string, string>): HTMLElement | undefined {
  return form ? controlsIn(form).find((control) => errors[control.name] && !control.disabled) : undefined
}
