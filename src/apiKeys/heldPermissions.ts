/** The permissions that a key has: those that it names, or those that it got when it was made. */
export const heldPermissions = ({
  permissions,
  writePermissions,
}: {
  permissions: readonly string[] | null
  writePermissions: readonly string[]
}): readonly string[] => permissions ?? writePermissions
