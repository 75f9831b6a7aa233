import type { DashboardAnswerOf, DashboardBodyOf } from '../../../../client/index.ts'

export type Senders = DashboardAnswerOf<'listSenders'>
export type SendLimits = DashboardBodyOf<'setWalletLimits'>
export type SendApproval = DashboardAnswerOf<'listApprovals'>['approvals'][number]
/** A wallet or a key, with its limits. */
export type Sender = SendLimits & { kind: 'wallet' | 'key'; id: string; name: string }
