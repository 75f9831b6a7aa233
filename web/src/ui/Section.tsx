import { type ReactNode, useId } from 'react'

interface Props {
  title: string
  lead?: ReactNode
  children?: ReactNode
}

export function Section({ title, lead, children }: Props) {
  const id = useId()
  return (
    <section className="section" aria-labelledby={id}>
      <header className="section-head">
        <h2 id={id}>{title}</h2>
        {lead && <p className="fine">{lead}</p>}
      </header>
      {children}
    </section>
  )
}
