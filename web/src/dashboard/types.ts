import type { DashboardAnswerOf } from '../../../client/index.ts'

export type Me = DashboardAnswerOf<'getAccount'>
export type Business = DashboardAnswerOf<'getBusiness'>
export type Role = Me['businesses'][number]['role']
export type Approval = Business['approval']
export type Member = DashboardAnswerOf<'listMembers'>['members'][number]
export type Invitation = DashboardAnswerOf<'listInvitations'>['invitations'][number]
export type InvitationSeen = DashboardAnswerOf<'lookAtInvitation'>
export type ApiKey = DashboardAnswerOf<'getKey'>
export type KeyState = ApiKey['state']
export type PaymentSettings = DashboardAnswerOf<'getPaymentSettings'>
export type AuditEntry = DashboardAnswerOf<'listAudit'>['entries'][number]
export type OperatedBusiness = DashboardAnswerOf<'viewBusiness'>
export type OperatedTransfer = DashboardAnswerOf<'listHeldTransfers'>['transfers'][number]
/** Caps that an operator set for a business; null means the default. */
export type Caps = OperatedBusiness['caps']
export type DefaultCaps = DashboardAnswerOf<'getDefaultCaps'>
export type SignIn = DashboardAnswerOf<'listSignIns'>['signIns'][number]
export type Passkey = DashboardAnswerOf<'listPasskeys'>['passkeys'][number]
