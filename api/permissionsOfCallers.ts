import type { Caller } from '../src/accounts/caller.ts'
import { includesRole } from '../src/members/role.ts'
import { type Contract, minRoleOf, operationsOf } from './contract.ts'
import { hasKeyPermission, hasPermission } from './middleware/authorize.ts'

/** Lists the permissions of a contract that a caller has, in order. */
export function permissionsOfCallers(contract: Contract): (caller: Caller) => string[] {
  const guarded = operationsOf(contract).flatMap(({ operation }) =>
    operation['x-scope'] === 'public' ? [] : [operation],
  )
  return ({ account, apiKey, scope }) => {
    const role = account?.role ?? null
    const allowed = guarded.filter((operation) => {
      if (apiKey)
        return (operation['x-scope'] === 'read' || scope === 'write') && hasPermission(apiKey, operation)
      const min = minRoleOf(operation)
      return min === null || (role !== null && includesRole(role, min))
    })
    const more = allowed.flatMap((operation) => {
      const permission = operation['x-key-permission']?.permission
      return permission !== undefined && (!apiKey || hasKeyPermission(apiKey, permission)) ? [permission] : []
    })
    return [...new Set([...allowed.map((operation) => operation['x-permission']), ...more])].toSorted()
  }
}
