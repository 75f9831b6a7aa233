/** The dependency rules (docs/architecture.md). */
const capability =
  '(accounts|apiKeys|approvals|audit|backup|bridge|businesses|collections|corrections|custody|destinations|events|health|ledger|mail|members|monitoring|notifications|outflows|overview|partnerPayments|paymentLinks|payouts|pricing|rateLimits|reconciliation|refunds|sessions|spendingLimits|staking|statements|swaps|sweeps|till|transfers|txmgr|verification|wallets|watches|webhooks)'

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'api-stands-alone',
      severity: 'error',
      from: { path: '^api/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(commands|treasury|indexers|queues|scripts|test|bench)/' },
    },
    {
      name: 'indexers-stand-alone',
      severity: 'error',
      from: { path: '^indexers/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(commands|treasury|api|queues|scripts|test|bench)/' },
    },
    {
      name: 'queues-stand-alone',
      severity: 'error',
      from: { path: '^queues/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(commands|treasury|api|indexers|scripts|test|bench)/' },
    },
    {
      name: 'src-knows-no-process',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(api|commands|indexers|queues|treasury|migrations|scripts|test|bench)/' },
    },
    {
      name: 'src-takes-types-of-the-contract',
      comment:
        'The types of the contracts, which this graph leaves out (`exclude` below), and no code of the client.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^client/' },
    },
    {
      name: 'web-asks-the-client',
      severity: 'error',
      from: { path: '^web/', pathNot: '\\.test\\.ts$' },
      // web/docs is run by the build: it reads files.
      to: { path: '^(?!web/|client/|node_modules/)', pathNot: '^(fs|path)$' },
    },
    {
      name: 'client-stands-alone',
      comment: 'It runs in browsers, and has no dependency.',
      severity: 'error',
      from: { path: '^client/', pathNot: ['\\.test\\.ts$', '^client/webhooks/bin\\.mjs$'] },
      to: { pathNot: '^client/' },
    },
    {
      name: 'platform-knows-nothing-above-it',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!platform/)' },
    },
    {
      name: 'money-is-the-ground-floor',
      severity: 'error',
      from: { path: '^src/money/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!money/|platform/)' },
    },
    {
      name: 'chains-know-no-capability',
      severity: 'error',
      from: { path: '^src/chains/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!platform/|money/|chains/)' },
    },
    {
      name: 'families-know-no-other-family',
      severity: 'error',
      from: { path: '^src/chains/(evm|solana|tron|stellar)/' },
      to: { path: '^src/chains/(evm|solana|tron|stellar)/', pathNot: '^src/chains/$1/' },
    },
    {
      name: 'capabilities-ask-for-ports',
      severity: 'error',
      from: { path: `^src/${capability}/`, pathNot: '\\.test\\.ts$' },
      to: { path: '^src/chains/(evm|solana|tron|stellar)/' },
    },
    {
      name: 'capabilities-know-no-partner',
      severity: 'error',
      from: { path: `^src/${capability}/`, pathNot: '\\.test\\.ts$' },
      to: { path: '^src/partners/' },
    },
    {
      name: 'only-the-treasury-opens-the-seed',
      severity: 'error',
      from: { path: '^((api|indexers|queues)/|commands/run/(?!treasury))', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/(custody/(seed|phrase|platformKeys|keyProvider|envelope|openWallet|walletKeys|rollWalletKey|rollSeedKey|recoverAddresses)|partners/awsKms/|chains/(keyDerivers|bip32|[a-z]+/keyDeriver))',
        reachable: true,
      },
    },
    {
      name: 'stand-ins-share-no-codec',
      severity: 'error',
      from: { path: '^test/partners/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/partners/' },
    },
    {
      name: 'counts-are-independent',
      severity: 'error',
      from: { path: '^test/promises/(counting|amounts)/' },
      to: {
        path: '^(api|client|commands|indexers|queues|src|treasury|migrations|scripts|bench)/|^test/(?!promises/(counting|amounts)/)',
      },
    },
    {
      name: 'products-know-no-test',
      severity: 'error',
      from: {
        path: '^(api|commands|indexers|queues|src|treasury|migrations)/',
        pathNot: '\\.test\\.ts$',
      },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^client/contract/(api|verification)\\.ts$' },
    parser: 'swc',
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
