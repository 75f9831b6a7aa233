import { roleLabels } from '../labels.ts'
import type { InvitationSeen } from '../types.ts'

export function invitationTitle({ purpose, businessName }: InvitationSeen): string {
  if (purpose === 'reset') return 'Set a new password'
  if (purpose === 'prove') return 'Confirm your address'
  return businessName ? `Join ${businessName}` : 'Join Cowry'
}

/** The purpose of an invitation, and the effect of accepting it. */
export function invitationLabels(invitation: InvitationSeen): string {
  const { purpose, email, role, businessName, invitedBy, hasAccount, isMailed } = invitation
  if (purpose === 'prove')
    return `Confirm that ${email} is yours: sign in to its account in this browser, then confirm.`
  if (purpose === 'reset') {
    return isMailed
      ? `For ${email}. It signs you out on all other devices. If you use two-step sign-in, you sign in with it afterwards.`
      : `For ${email}. It also switches two-step sign-in off and signs you out on all other devices; set two-step sign-in up again afterwards.`
  }
  const asked = invitedBy ? `${invitedBy} invites ${email}` : `${email} is invited`
  const what =
    businessName && role
      ? `to ${businessName} as ${roleLabels[role].label.toLowerCase()}`
      : 'to operate this platform'
  const next = hasAccount
    ? 'Sign in with your account to join.'
    : 'Choose a name and a password to open your account.'
  return `${asked} ${what}. ${next}`
}
