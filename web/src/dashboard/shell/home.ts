import type { Me } from '../types.ts'
import { businessPath } from './navigation.ts'

/** Where the dashboard opens: with a person's default business, or the only one. */
export function homePath({ account, businesses }: Me): string {
  const [first] = businesses
  const home = businesses.find(({ id }) => id === account.defaultBusinessId) ?? first
  const isClear = businesses.length === 1 || home?.id === account.defaultBusinessId
  return home && isClear ? businessPath(home.id) : '/businesses'
}
