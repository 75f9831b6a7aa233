import type { ReactNode } from 'react'

export type Fact = [name: string, value: ReactNode]

/** A fact that not every collection has. */
export const ifAny = (name: string, value: ReactNode): Fact[] =>
  value === null || value === '' ? [] : [[name, value]]
