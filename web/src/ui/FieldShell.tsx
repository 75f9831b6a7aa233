import type { ReactNode } from 'react'

interface Props {
  id: string
  label: string
  hint?: ReactNode
  error: string | undefined
  children: ReactNode
}

/** Label above, hint and error below. With `describedBy` screen readers read both with the control. */
export function FieldShell({ id, label, hint, error, children }: Props) {
  return (
    <div className={error ? 'field wrong' : 'field'}>
      <label htmlFor={id}>{label}</label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="fine">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  )
}

export function describedBy(id: string, hint: unknown, error: string | undefined): string | undefined {
  const ids = [...(error ? [`${id}-error`] : []), ...(hint ? [`${id}-hint`] : [])]
  return ids.length > 0 ? ids.join(' ') : undefined
}
