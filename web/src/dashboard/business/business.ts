import { createContext, useContext } from 'react'
import type { Business, Role } from '../types.ts'

export interface BusinessHere {
  business: Business
  role: Role
  /** Keeps what an answer told of the business. */
  put: (business: Business) => void
  /** False while it is suspended: Cowry then refuses every change of its members. */
  changeable: boolean
  /** May change its members, payments and name now. */
  owns: boolean
  /** May change its keys and webhooks now. */
  develops: boolean
}

export const BusinessContext = createContext<BusinessHere | null>(null)

/** The business whose pages these are. */
export function useBusiness(): BusinessHere {
  const here = useContext(BusinessContext)
  if (!here) throw new Error('this page belongs to a business')
  return here
}
