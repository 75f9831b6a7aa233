import { permissions } from '../../../../client/index.ts'
import type { ApiKey, Role } from '../types.ts'

const isOwners = ({ minRole }: Pick<(typeof permissions)[number], 'minRole'>) => minRole === 'owner'

/** Permissions that a member can give to a key: only those that the member's own role has. */
export const offeredPermissions = (scope: 'read' | 'write', role: Role) =>
  permissions.filter(
    (permission) =>
      (scope === 'write' || permission.scope === 'read') && (role === 'owner' || !isOwners(permission)),
  )

/** Whether a member may change and rotate a key, by its permissions. */
export const mayManage = (role: Role, key: Pick<ApiKey, 'permissions' | 'writePermissions'>): boolean =>
  role === 'owner' ||
  !permissions.some(
    (permission) =>
      isOwners(permission) && (key.permissions ?? key.writePermissions).includes(permission.name),
  )
