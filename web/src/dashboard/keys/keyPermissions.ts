import { permissions } from '../../../../client/index.ts'
import type { ApiKey, Role } from '../types.ts'

const isOwners = ({ leastRole }: Pick<(typeof permissions)[number], 'leastRole'>) => leastRole === 'owner'

/** What somebody can put into a key: nobody gets by one what they may not do themselves. */
export const offeredPermissions = (scope: 'read' | 'write', role: Role) =>
  permissions.filter((permission) => (scope === 'write' || permission.scope === 'read') && (role === 'owner' || !isOwners(permission)))

/** Whether somebody can change and rotate a key, as far as its permissions go. */
export const mayManage = (role: Role, key: Pick<ApiKey, 'permissions' | 'writePermissions'>): boolean =>
  role === 'owner' || !permissions.some((permission) => isOwners(permission) && (key.permissions ?? key.writePermissions).includes(permission.name))
