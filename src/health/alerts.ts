/** Alerts that can be told from the database: how urgent each is, and the page with the steps to take. */
export const alerts = {
  CowryNoLeader: { severity: 'page', runbook: 'a-chain-lags.md#no-indexer-leads' },
  CowryChainStale: { severity: 'page', runbook: 'a-chain-lags.md' },
  CowryChainLags: { severity: 'ticket', runbook: 'a-chain-lags.md' },
  CowryChainUnreadable: { severity: 'page', runbook: 'solana-has-transactions-of-a-new-version.md' },
  CowryChainGap: { severity: 'page', runbook: 'a-block-is-missing.md' },
  CowryProviderFails: { severity: 'ticket', runbook: 'a-provider-fails.md#its-calls-fail' },
  CowryProviderOfAnotherChain: {
    severity: 'ticket',
    runbook: 'a-provider-fails.md#it-answers-for-another-chain',
  },
  CowryTreasuryGasLow: { severity: 'ticket', runbook: 'the-treasury-has-no-gas.md' },
  CowryProcessMissing: { severity: 'page', runbook: 'a-process-is-down.md' },
  CowryRedisAway: { severity: 'ticket', runbook: 'redis-was-lost.md' },
  CowryOutboxDead: { severity: 'page', runbook: 'an-outbox-row-is-dead.md' },
  CowryOutboxWaits: { severity: 'page', runbook: 'an-outbox-row-is-dead.md#a-row-waits' },
  CowryArchiveLate: { severity: 'page', runbook: 'backups-are-late.md' },
  CowryBackupUnchecked: { severity: 'ticket', runbook: 'backups-are-late.md#no-backup-was-checked' },
  CowryRestored: { severity: 'page', runbook: 'restored.md' },
  CowryLedgerDrift: { severity: 'page', runbook: 'ledger-drift.md' },
  CowryLedgerCloseLate: { severity: 'ticket', runbook: 'ledger-drift.md#no-close-for-a-day' },
  CowryPayoutUnknown: { severity: 'ticket', runbook: 'a-payout-is-unknown.md' },
  CowryPartnerDisagrees: { severity: 'page', runbook: 'partner-money-does-not-match.md' },
} as const satisfies Record<string, { severity: 'page' | 'ticket'; runbook: string }>

export type AlertName = keyof typeof alerts
