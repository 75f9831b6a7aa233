/** Everything that is said of a command: its help, its checks and docs/commands.md are made of this. */
export interface CommandEntry {
  section: (typeof sections)[number]
  summary: string
  /** The module that exports `run`; it is loaded when the command runs. */
  program: string
  /**
   * The forms of its arguments: `word`, `<argument>`, `<argument>…` (one or more), `[…]` (none is needed),
   * `a|b`, and the options that go with it, `[--option <value>]` where it may be left out.
   */
  forms: readonly { words: string; summary: string }[]
  options?: Readonly<Record<string, CommandOption>>
  /** The arguments of examples, without the command's name. */
  examples: readonly string[]
  /** What it needs, and what else there is to know. */
  note?: string
  /** What 0 and 1 say, where that is not "done" and "failed". */
  exitCodes?: Readonly<Partial<Record<0 | 1, string>>>
  /** The line may hold a secret by mistake: no message repeats its words. */
  isSecret?: true
}

export interface CommandOption {
  type: 'string' | 'boolean'
  /** May be given more than once. */
  multiple?: true
  summary: string
}

export const sections = [
  'Processes',
  'Setting up',
  'Chains',
  'Transactions and fees',
  'Payouts and other money',
  'People, keys and events',
  'Keys of the money, backups',
  'Developing Cowry',
] as const

const id = '01a22744-c6ff-77ed-a1a2-0deb78317a13'
const other = '01a22744-d001-7a54-9f0e-5b1f0c6a9e77'

const stopped = { 0: 'it was stopped', 1: 'it failed, or did not stop in time' } as const

const evidence = { type: 'string', summary: 'how you know, with a reference; it is stored' } as const

export const commands = {
  'run all': {
    section: 'Processes',
    summary: 'Runs API, worker and all indexers in one process',
    program: 'commands/run/all.ts',
    forms: [
      {
        words: '',
        summary:
          'the API, the verification host where VERIFY_KEY is set, a worker, and an indexer for each configured chain',
      },
    ],
    note: 'The treasury is always a process of its own.',
    examples: [''],
    exitCodes: stopped,
  },
  'run api': {
    section: 'Processes',
    summary: 'Runs the API and the dashboard',
    program: 'commands/run/api.ts',
    forms: [{ words: '', summary: 'the API and the dashboard, at API_HOST and PORT' }],
    examples: [''],
    exitCodes: stopped,
  },
  'run verification': {
    section: 'Processes',
    summary: 'Runs the verification host',
    program: 'commands/run/verification.ts',
    forms: [{ words: '', summary: 'identity checks, on a host of their own' }],
    note: 'The only process that reads personal data.',
    examples: [''],
    exitCodes: stopped,
  },
  'run indexer': {
    section: 'Processes',
    summary: 'Runs the indexer of a chain',
    program: 'commands/run/indexer.ts',
    forms: [{ words: '<chain>', summary: 'follows the chain; a second process for it is its hot standby' }],
    examples: ['ethereum'],
    exitCodes: stopped,
  },
  'run worker': {
    section: 'Processes',
    summary: 'Runs a worker of the queues, and the relay',
    program: 'commands/run/worker.ts',
    forms: [{ words: '[<queue>…]', summary: 'works on these queues, or on all' }],
    note: 'Every worker also runs the relay.',
    examples: ['', 'webhook-delivery'],
    exitCodes: stopped,
  },
  'run treasury': {
    section: 'Processes',
    summary: 'Runs the treasury, which derives addresses and signs',
    program: 'commands/run/treasury.ts',
    forms: [{ words: '', summary: 'takes its work from Postgres, and listens for metrics only' }],
    note: 'The only process that opens the seed.',
    examples: [''],
    exitCodes: stopped,
  },
  init: {
    section: 'Setting up',
    summary: 'Writes the settings of a new deployment',
    program: 'commands/init.ts',
    forms: [
      {
        words:
          '[--folder <folder>] [--own] [--database-url <url>] [--redis-url <url>] [--environment live|test] [--nodes <chain>=<url>[,<url>]]… [--base-url <url>] [--set <NAME>=<value>]… [--replace]',
        summary: 'asks for nodes and public URL at a terminal, and writes a complete .env with fresh secrets',
      },
    ],
    options: {
      folder: { type: 'string', summary: 'where .env is written; by default here' },
      own: { type: 'boolean', summary: 'with Postgres and Redis of your own, without Docker' },
      'database-url': { type: 'string', summary: 'DATABASE_URL, with --own' },
      'redis-url': { type: 'string', summary: 'REDIS_URL, with --own' },
      environment: { type: 'string', summary: '`live` or `test`' },
      nodes: { type: 'string', multiple: true, summary: 'the nodes of a chain' },
      'base-url': { type: 'string', summary: 'the public URL of the API and the dashboard' },
      set: { type: 'string', multiple: true, summary: 'another setting' },
      replace: { type: 'boolean', summary: 'keeps the .env that is there under another name' },
    },
    examples: ['', '--nodes ethereum=https://a.example,https://b.example --base-url https://pay.example.com'],
  },
  doctor: {
    section: 'Setting up',
    summary: 'Examines a deployment, and names each fault with its cure',
    program: 'commands/doctor.ts',
    forms: [
      {
        words: '[<part>…] [--env <file>] [--json]',
        summary:
          'settings, database, Redis, nodes, keys, mail, partners, clock, egress and public URL; or only what these parts need: api, worker, indexer, treasury, verification',
      },
    ],
    options: {
      env: { type: 'string', summary: 'reads these settings; the environment wins' },
      json: { type: 'boolean', summary: 'for scripts' },
    },
    examples: ['--env .env', 'api worker --json'],
    exitCodes: { 0: 'no fault', 1: 'there are faults' },
  },
  migrate: {
    section: 'Setting up',
    summary: 'Migrates the database',
    program: 'commands/migrate.ts',
    forms: [
      { words: '', summary: 'to the newest version; then creates the roles, and grants their rights' },
      { words: 'down', summary: 'one step back' },
    ],
    examples: ['', 'down'],
  },
  'intent-keys': {
    section: 'Setting up',
    summary: 'Makes the keys with which API and worker sign requests to the treasury',
    program: 'commands/intentKeys.ts',
    forms: [
      { words: '', summary: 'prints both pairs, as lines for .env' },
      {
        words: 'api|worker',
        summary:
          'replaces one: first add the new public key before the old one at the treasury (docs/deployment.md)',
      },
    ],
    examples: ['', 'api'],
  },
  'open-account': {
    section: 'Setting up',
    summary: 'Prepares an account of the platform on Stellar for its tokens',
    program: 'commands/openAccount.ts',
    forms: [
      { words: 'stellar', summary: 'the account that receives deposits' },
      { words: 'stellar staking', summary: 'the account that holds pooled stakes' },
    ],
    note: 'Needs the settings of the treasury. Run it once, after the account has its reserve; it is safe to repeat.',
    examples: ['stellar'],
    exitCodes: { 1: 'the account is not funded yet, or it failed' },
  },
  'lookup-table': {
    section: 'Setting up',
    summary: 'Makes the lookup table of mints on Solana',
    program: 'commands/lookupTable.ts',
    forms: [{ words: '--key <file>', summary: 'prints SOLANA_CCTP_LOOKUP_TABLE' }],
    options: { key: { type: 'string', summary: 'the key that pays for it, of solana-keygen' } },
    note: 'Once for each deployment. The table is frozen: the key is not needed afterwards.',
    examples: ['--key payer.json'],
  },
  'accept-fork': {
    section: 'Chains',
    summary: 'Rewinds a chain to a block, even below the finalized height',
    program: 'commands/acceptFork.ts',
    forms: [
      { words: '<chain>', summary: 'compares the blocks of each provider with the stored ones' },
      { words: '<chain> <height> <reason>… [--force]', summary: 'rewinds to that block' },
    ],
    options: {
      force: { type: 'boolean', summary: 'also if no provider has other blocks than the stored ones' },
    },
    examples: ['polygon', 'polygon 63121000 "all providers agree on the other fork"'],
  },
  rescan: {
    section: 'Chains',
    summary: 'Reads blocks of a chain again',
    program: 'commands/rescan.ts',
    forms: [{ words: '<chain> <from> <to> [--revert]', summary: 'from one height to another' }],
    options: {
      revert: { type: 'boolean', summary: 'also reverts recorded payments that the chain does not have' },
    },
    note: 'Repeating it has no further effect.',
    examples: ['ethereum 21000000 21000500'],
    exitCodes: { 1: 'recorded payments remain that the chain does not have, or it was interrupted' },
  },
  reconcile: {
    section: 'Chains',
    summary: 'Compares the books with what the addresses hold on a chain now',
    program: 'commands/reconcile.ts',
    forms: [
      { words: '<chain>', summary: 'compares, and stores what differs' },
      {
        words: '<chain> --recover <costs>',
        summary: 'also books sweeps whose rows a restore has lost, with the native coin that they cost',
      },
    ],
    options: {
      recover: { type: 'string', summary: 'the network costs; a negative amount as --recover=-0.1' },
    },
    examples: ['ethereum', 'ethereum --recover=0.0021'],
    exitCodes: { 1: 'something differs, or could not be compared' },
  },
  sweeps: {
    section: 'Chains',
    summary: 'Sweeps of deposits, and what the treasury holds',
    program: 'commands/sweeps.ts',
    forms: [
      { words: '', summary: 'lists sweeps that have not ended' },
      { words: 'now <chain>', summary: 'sweeps every deposit address, regardless of thresholds and costs' },
      { words: 'floats', summary: 'the addresses of the treasury, and what they hold' },
      {
        words: 'low-water <chain> <token> <amount>',
        summary: 'the mark below which the treasury has too little; `none`: that of the settings',
      },
    ],
    examples: ['now polygon', 'low-water ethereum USDC 5000'],
  },
  intents: {
    section: 'Transactions and fees',
    summary: 'Transactions of the platform: list, pause, hold, reprice, settle after a restore',
    program: 'commands/intents.ts',
    forms: [
      { words: '', summary: 'lists what is not settled, the oldest first, and paused chains' },
      {
        words: 'pause <chain> <reason>…',
        summary: 'stops signing and sending on a chain; sent transactions are still watched',
      },
      { words: 'resume <chain>', summary: 'signs and sends on it again' },
      { words: 'hold <id> <reason>…', summary: 'one intent is neither signed nor sent' },
      { words: 'release <id>', summary: 'ends the hold' },
      {
        words: 'reprice <id> <price>',
        summary: 'replaces its waiting transaction (EVM): at `30gwei`, or `1.5x` the present price',
      },
      {
        words: 'declare-restored',
        summary: 'declares that the database is a copy of an earlier state, which it cannot detect itself',
      },
      {
        words: 'restored',
        summary: 'lists what is open after a restore: each may have been sent unknown to the database',
      },
      {
        words: 'give-up <id>',
        summary: 'fails an intent of a stored wallet without a signature: it was sent before the restore',
      },
      { words: 'reconciled', summary: 'everything open is settled: signing and sending resume' },
      {
        words: 'unproven',
        summary: 'lists what waits for the treasury without a proof of the API: old, or forged',
      },
      { words: 'prove <id>', summary: 'proves one of these, on your word, with API_INTENT_KEY' },
    ],
    examples: ['', 'pause ethereum "the node lies"', `reprice ${id} 1.5x`],
  },
  fees: {
    section: 'Transactions and fees',
    summary: 'Limits of network fees',
    program: 'commands/fees.ts',
    forms: [
      { words: '', summary: 'lists the limits by chain, and what was signed within 24 hours' },
      {
        words: 'ceiling <chain> <amount>',
        summary: 'the maximum fee of one transaction, in whole native coins; `none`: that of the settings',
      },
      {
        words: 'budget <chain> <amount>',
        summary: 'the maximum of all fees signed within 24 hours; `none`: that of the settings',
      },
    ],
    examples: ['', 'ceiling ethereum 0.02'],
  },
  payouts: {
    section: 'Payouts and other money',
    summary: 'Payouts, refunds and top-ups: list, pause, compare, end by hand',
    program: 'commands/payouts.ts',
    forms: [
      { words: '[list]', summary: 'lists those that have not ended' },
      { words: 'unknown', summary: 'those whose state only the partner or the chain knows' },
      { words: 'restored', summary: 'those that may have left before a restore, unknown to the database' },
      { words: 'show <id>', summary: 'one of them' },
      { words: 'pause <partner> <reason>…', summary: 'submits no payout to a partner' },
      { words: 'resume <partner>', summary: 'submits to it again' },
      { words: 'compare', summary: 'compares payouts with the list of payments of the partner now' },
      { words: 'end <id>', summary: 'shows how an unknown one is ended by hand' },
      {
        words: 'end <id> completed --tx <transaction> --operator <email> --evidence <text> --revision <n>',
        summary: 'proposes it: a transaction has paid it',
      },
      {
        words:
          'end <id> completed --payment <id> --cost <dollars> --operator <email> --evidence <text> --revision <n>',
        summary: 'proposes it: the partner has paid it',
      },
      {
        words: 'end <id> completed --elsewhere --operator <email> --evidence <text> --revision <n>',
        summary: 'proposes it: the platform has paid it by other means',
      },
      {
        words: 'end <id> failed --operator <email> --evidence <text> --revision <n>',
        summary: 'proposes it: it was not paid, and never will be',
      },
      { words: 'ends', summary: 'lists what is proposed' },
      { words: 'approve-end <proposal> --operator <email>', summary: 'by another operator: it is ended' },
      { words: 'refuse-end <proposal> --operator <email>', summary: 'nothing changes' },
      {
        words: 'end-top-up <id> --operator <email> --evidence <text>',
        summary: 'proposes to end a top-up that does not arrive',
      },
    ],
    options: {
      tx: { type: 'string', summary: 'the transaction that has paid it' },
      payment: { type: 'string', summary: 'the id of the payment at the partner' },
      cost: { type: 'string', summary: 'what it has cost there, in US dollars' },
      elsewhere: { type: 'boolean', summary: 'the platform has paid it by other means' },
      operator: { type: 'string', summary: 'the email of your account' },
      evidence,
      revision: { type: 'string', summary: 'the revision that `payouts end <id>` shows' },
    },
    examples: [
      'unknown',
      `end ${id} failed --operator you@example.com --evidence "the partner: ticket 4711" --revision 3`,
    ],
    exitCodes: { 1: 'compare: something does not agree; or it failed' },
  },
  rates: {
    section: 'Payouts and other money',
    summary: 'Rates of the partner and of the second source: list, accept a refused one',
    program: 'commands/rates.ts',
    forms: [
      { words: '[list]', summary: 'lists the accepted and the refused rate of each currency' },
      {
        words: 'accept <currency> <buy> <sell> --operator <you> --evidence <text> [--source <name>]',
        summary: 'accepts a refused rate',
      },
    ],
    options: {
      operator: { type: 'string', summary: 'your name' },
      evidence,
      source: { type: 'string', summary: '`yellowcard` (the default), or `openexchangerates`' },
    },
    examples: ['', 'accept NGN 1580.2 1610.5 --operator ada --evidence "the central bank, today"'],
  },
  bridge: {
    section: 'Payouts and other money',
    summary: 'Bridge transfers: list, end one that is unknown',
    program: 'commands/bridge.ts',
    forms: [
      { words: '[list]', summary: 'lists bridge transfers that have not ended, the oldest first' },
      { words: 'unknown', summary: 'those of which another transaction has the nonce of the burn' },
      { words: 'unburnt', summary: 'those that are minted, and whose burn a fork has taken back' },
      {
        words: 'end <id> --evidence <text>',
        summary: 'fails one that is unknown: the other transaction burnt nothing of it',
      },
    ],
    options: { evidence },
    examples: ['unknown', `end ${id} --evidence "the transaction at its nonce is a cancellation"`],
  },
  staking: {
    section: 'Payouts and other money',
    summary: 'Stakes that are not paid back: list, pay once more',
    program: 'commands/staking.ts',
    forms: [
      {
        words: '[list]',
        summary: 'lists stakes whose withdrawal is requested and not paid, the oldest first',
      },
      { words: 'addresses', summary: 'where rewards and fees of stakes are paid from, by family' },
      {
        words: 'retry <id> --evidence <text>',
        summary: 'pays one once more whose payments have failed twice; needs API_INTENT_KEY',
      },
    ],
    options: { evidence },
    examples: ['', 'addresses'],
  },
  ledger: {
    section: 'Payouts and other money',
    summary: 'The ledger: close, verify, read closes',
    program: 'commands/ledger.ts',
    forms: [
      { words: 'close', summary: 'closes it now: verifies it, and chains the entries since the last close' },
      { words: 'closes [<close>]', summary: 'the last thirty closes, or what one of them found' },
      { words: 'verify', summary: 'verifies it, and records nothing' },
    ],
    examples: ['verify', 'closes 12'],
    exitCodes: { 1: 'something does not agree' },
  },
  account: {
    section: 'People, keys and events',
    summary: 'Accounts of people: operators, new passwords, locks',
    program: 'commands/account.ts',
    forms: [
      {
        words: 'operator <email> [--mail]',
        summary: 'prints a link that makes its holder an operator of the platform',
      },
      {
        words: 'remove-operator <email>',
        summary:
          'ends operator rights and open operator links, and voids invitations sent as an operator; memberships in businesses stay',
      },
      {
        words: 'reset <email> [--mail] [--keep <business>]…',
        summary:
          'prints a link that sets a new password; using it ends the sessions and the second factor of the account, and, if its address was never proven, its memberships except those of --keep',
      },
      {
        words: 'lock <email>',
        summary:
          'ends all its sessions, tokens, open links and invitations; only a printed reset link unlocks it, a mailed one is refused',
      },
      {
        words: 'business-limit <email> <number>',
        summary: 'how many businesses an account and those that it invited may open together',
      },
      { words: 'roll-signing-keys', summary: 'makes a new signing key, and ends every access token' },
    ],
    options: {
      mail: { type: 'boolean', summary: 'mails the link to the address instead of printing it' },
      keep: { type: 'string', multiple: true, summary: 'the id of a business whose membership stays' },
    },
    examples: ['operator you@example.com', `reset ada@example.com --keep ${id}`],
  },
  business: {
    section: 'People, keys and events',
    summary: 'Businesses: suspend, release, give their transfers up',
    program: 'commands/business.ts',
    forms: [
      { words: '', summary: 'lists suspended businesses with the number of held transfers' },
      {
        words: 'show <id>',
        summary: 'a business, its held transfers, and the held steps of its swaps and bridge transfers',
      },
      {
        words: 'hold <id> <reason>…',
        summary:
          'suspends it: its keys and tokens are refused, nothing is signed or sent; sent transactions are still watched',
      },
      { words: 'release <id>', summary: 'approves it again: held transfers go on' },
      {
        words: 'give-up <id> [<transfer>…]',
        summary: 'fails all its held transfers, or only these, and notifies the business',
      },
    ],
    examples: [`hold ${id} "its keys have leaked"`, `give-up ${id} ${other}`],
    exitCodes: { 1: 'give-up: a transfer stays as it is; or it failed' },
  },
  keys: {
    section: 'People, keys and events',
    summary: 'API keys that wait for an owner',
    program: 'commands/keys.ts',
    forms: [
      {
        words: 'unconfirmed',
        summary:
          'lists the keys that sent from stored wallets before the permission wallets:send existed, and who can confirm them',
      },
    ],
    examples: ['unconfirmed'],
  },
  deliveries: {
    section: 'People, keys and events',
    summary: 'Webhook deliveries: erase their bodies',
    program: 'commands/deliveries.ts',
    forms: [
      {
        words: 'erase <business> [--endpoint <id>] [--event <id>] [--before <date>] [--give-up-pending]',
        summary:
          'blanks the bodies of its events, and the answers of receivers; what happened, and when, stays',
      },
      { words: 'erase all --before <date> [--give-up-pending]', summary: 'the same of every business' },
    ],
    options: {
      endpoint: { type: 'string', summary: 'only deliveries to this endpoint' },
      event: { type: 'string', summary: 'only this event' },
      before: { type: 'string', summary: 'only events before this date, or time with its zone' },
      'give-up-pending': {
        type: 'boolean',
        summary: 'also deliveries that are still to be made, which fail',
      },
    },
    examples: [`erase ${id} --before 2026-01-01`],
  },
  'dead-jobs': {
    section: 'People, keys and events',
    summary: 'Jobs that were given up',
    program: 'commands/deadJobs.ts',
    forms: [
      { words: '', summary: 'lists them, and why' },
      { words: 'replay', summary: 'runs them again, with all their attempts' },
    ],
    examples: ['', 'replay'],
  },
  custody: {
    section: 'Keys of the money, backups',
    summary: 'The seed, and the keys that seal what is stored',
    program: 'commands/custody.ts',
    forms: [
      {
        words: 'roll-seed-key',
        summary: 'seals the seed and the keys of stored wallets with the configured key of the provider',
      },
      {
        words: 'roll-app-key',
        summary: 'seals every secret of the application with APP_KEY; APP_KEY_PREVIOUS is the key before',
      },
      {
        words: 'roll-verify-key',
        summary: 'seals the keys of personal data with VERIFY_KEY; VERIFY_KEY_PREVIOUS is the key before',
      },
      {
        words: 'recover [--file <path>]',
        summary:
          'proves that the phrase leads to every deposit address; reads the phrase from standard input, or from a file',
      },
      {
        words: 'show-mnemonic [--file <path>]',
        summary: 'shows the 24 words of the seed at a terminal, or writes them to a new file',
      },
      {
        words: 'after-restore',
        summary: 'declares that the database is a copy of an earlier state, which it cannot detect itself',
      },
    ],
    options: { file: { type: 'string', summary: 'the file of the phrase' } },
    note: 'If a roll is interrupted, the next run finishes it (docs/custody.md).',
    examples: ['roll-app-key', 'recover --file phrase.txt'],
    exitCodes: { 1: 'a row stays as it is, or an address is not reached; or it failed' },
    isSecret: true,
  },
  'roll-wallet-key': {
    section: 'Keys of the money, backups',
    summary: 'Makes a new key pair for stored wallets, and seals all of them to it',
    program: 'commands/rollWalletKey.ts',
    forms: [{ words: '', summary: 'the treasury may run meanwhile' }],
    note: 'Needs the settings of the treasury. If interrupted, the next run or the next start of the treasury finishes it.',
    examples: [''],
    exitCodes: { 1: 'a wallet cannot be opened; or it failed' },
  },
  backup: {
    section: 'Keys of the money, backups',
    summary: 'Checks a database that was restored from a backup',
    program: 'commands/backup.ts',
    forms: [
      {
        words: 'check [--to <time>]',
        summary: 'checks the one at RESTORED_DATABASE_URL, and records that at DATABASE_URL',
      },
    ],
    options: {
      to: {
        type: 'string',
        summary: 'for a server that does not know to which moment it was restored; with its UTC offset',
      },
    },
    examples: ['check', 'check --to 2026-11-30T01:30:00Z'],
    exitCodes: { 0: 'the copy is sound', 1: 'it is not sound, or the check failed' },
  },
  'dev test-times': {
    section: 'Developing Cowry',
    summary: 'What the suites of the last run of tests took',
    program: 'scripts/testTimes.ts',
    forms: [{ words: '[whole]', summary: 'the last run, or the last run of all suites' }],
    examples: ['', 'whole'],
  },
  'dev client-package': {
    section: 'Developing Cowry',
    summary: 'Builds the TypeScript client and packs it for npm',
    program: 'scripts/clientPackage.ts',
    forms: [{ words: '[<folder>]', summary: 'into this folder, or the current one; prints the file' }],
    examples: ['', '../shop'],
  },
  'dev pin-images': {
    section: 'Developing Cowry',
    summary: 'Pins the base images to the digests of today',
    program: 'scripts/pinImages.ts',
    forms: [
      {
        words: '[--registry <url>] [--folder <folder>]',
        summary: 'each image of the Dockerfiles and docker-compose.yml, to the digest of its tag',
      },
    ],
    options: {
      registry: { type: 'string', summary: 'a mirror to ask instead' },
      folder: { type: 'string', summary: 'another folder with these files' },
    },
    examples: [''],
  },
  'dev pictures': {
    section: 'Developing Cowry',
    summary: 'Makes the pictures of the README',
    program: 'scripts/pictures.ts',
    forms: [{ words: '', summary: 'of the pages of a running npm start, into docs/pictures' }],
    examples: [''],
    note: 'Needs Chromium. It first takes some payments on the devnets, so that the pages have something to show.',
  },
  'dev record-release': {
    section: 'Developing Cowry',
    summary: 'Records the programs of a release, which tests run beside the next version',
    program: 'scripts/recordRelease.ts',
    forms: [{ words: '[<commit>]', summary: 'that of HEAD, if none is named' }],
    examples: ['', 'v1.4.0'],
  },
} as const satisfies Record<string, CommandEntry>

export type CommandName = keyof typeof commands

type ValueOf<Option> = Option extends { type: 'boolean' }
  ? boolean
  : Option extends { multiple: true }
    ? string[]
    : string

/** The options of a command, as they are given. */
export type OptionsOf<Name extends CommandName> = (typeof commands)[Name] extends { options: infer Options }
  ? { [Key in keyof Options]?: ValueOf<Options[Key]> | undefined }
  : Record<never, never>

export const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name)
export const commandNames = Object.keys(commands) as CommandName[]
export const entryOf = (name: CommandName): CommandEntry => commands[name]
