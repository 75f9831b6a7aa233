import { type ReactNode, useEffect } from 'react'
import { useRoute } from 'wouter'
import { Loading } from '../../ui/Loading.tsx'
import { useMe } from '../session/session.ts'

/** Leads cashiers to the till: the dashboard has no page of their business for them. */
export function LeaveForTill({ children }: { children: ReactNode }) {
  const { businesses } = useMe()
  const [isHome] = useRoute('/')
  const [, inBusiness] = useRoute('/b/:businessId/*?')
  const isCashier = inBusiness
    ? businesses.some(({ id, role }) => id === inBusiness.businessId && role === 'cashier')
    : isHome && businesses.length > 0 && businesses.every(({ role }) => role === 'cashier')
  useEffect(() => {
    if (isCashier) location.replace('/till')
  }, [isCashier])
  return isCashier ? <Loading /> : children
}
