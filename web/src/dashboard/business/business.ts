import { createContext, useContext } from 'react'
import type { Business, Role } from '../types.ts'

export interface BusinessHere {
  business: Business
  role: Role
  /** Stores the business from an answer. */
  put: (business: Business) => void
  /** False while it is suspended: Cowry then refuses every change by its members. */
  changeable: boolean
  /** May change its members, payments and name now. */
  owns: boolean
  /** May change its keys and webhooks now. */
  develops: boolean
}

export const BusinessContext = createContext<BusinessHere | null>(null)

/** The business of this page. */
export function useBusiness(): BusinessHere {
  const here = useContext(BusinessContext)
  if (!here) throw new Error('there is no business around this page')
  return here
}
