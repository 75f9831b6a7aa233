import { networkInterfaces } from 'node:os'

/** A URL that leads to an internal address. */
export interface SsrfTarget {
  /** The part between `http://` and the port; or the whole URL, with PORT for the port. */
  host: string
  /** The resolver's answers for its name; a host without an entry is not resolved. */
  answers?: readonly string[]
  /**
   * The address at which a listening socket gets the request without a guard; null where this machine has no
   * such address.
   */
  reaches: string | null
  /** The URL is refused before any lookup, with this failure. */
  invalid?: true
}

const inside = (reaches: string | null, ...hosts: string[]): SsrfTarget[] =>
  hosts.map((host) => ({ host, reaches }))
const named = (host: string, reaches: string | null, ...answers: string[]): SsrfTarget => ({
  host,
  reaches,
  answers,
})

/** This machine's own addresses except loopback; link-local ones of IPv6 with their zone. */
export const ownAddresses: readonly string[] = Object.entries(networkInterfaces()).flatMap(([zone, list]) =>
  (list ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => (address.startsWith('fe80:') ? `${address}%${zone}` : address)),
)

const loopback = [
  ...inside(
    '127.0.0.1',
    ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '0.0.0.0', '0', '00.0x0'],
    ...[
      '2130706433',
      '017700000001',
      '0x7f000001',
      '0x7F000001',
      '0177.0.0.1',
      '0177.1',
      '0x7f.1',
      '0x7f.0.0.1',
      '0x7f.0x0.0x0.0x1',
      '00000177.0.0.1',
    ],
    ...[
      '127.0x1',
      '0177.0x0.1',
      '2130706433.',
      '１２７.０.０.１',
      '①②⑦.⓪.⓪.①',
      '127。0。0。1',
      '127．0．0．1',
      '%31%32%37.0.0.1',
      '127.0.0%2e1',
      '127%E3%80%820.0.1',
    ],
    ...[
      'good@127.0.0.1',
      'good:word@127.0.0.1',
      'hooks.example.com%40@127.0.0.1',
      'hooks.example.com:80@127.0.0.1',
    ],
    ...[
      'http:127.0.0.1:PORT/',
      'http:/127.0.0.1:PORT/',
      'http:\\\\127.0.0.1:PORT\\',
      'http:///127.0.0.1:PORT/',
      'HTTP://127.0.0.1:PORT/',
      'http://127.0\n.0.1:PORT/',
    ],
    ...[
      'http://127.0.0.1:PORT#@hooks.example.com/',
      'http://127.0.0.1:PORT?@hooks.example.com/',
      'http://127.0.0.1:PORT\\@hooks.example.com/',
      'https://127.0.0.1:PORT/',
    ],
    ...[
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::FFFF:7F00:0001]',
      '[0:0:0:0:0:ffff:127.0.0.1]',
      '[0000:0000:0000:0000:0000:ffff:7f00:0001]',
    ],
  ),
  ...inside('127.0.0.2', '127.0.0.2', '127.2', '[::ffff:127.0.0.2]', '2130706434'),
  ...inside('127.0.255.250', '127.65530'),
  ...inside('127.255.255.254', '127.255.255.254', '0x7ffffffe', '127.16777214'),
  ...inside(
    '::1',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::0.0.0.1]',
    '[::]',
    '[0::0]',
    'good@[::1]',
    'https://[::1]:PORT/',
  ),
]

const networks = inside(
  null,
  // Private, shared, link-local, reserved, multicast, broadcast.
  ...[
    '10.0.0.1',
    '10.255.255.255',
    '012.0.0.1',
    '0xa.1',
    '167772161',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.1',
    '3232235777',
  ],
  ...[
    '100.64.0.1',
    '100.127.255.255',
    '169.254.0.1',
    '192.0.0.1',
    '192.0.0.170',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
  ],
  ...[
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '0.0.0.1',
  ],
  // Metadata services of clouds: AWS and most others, its containers, Alibaba, Azure, Oracle, and by IPv6
  // AWS, Google and Oracle.
  ...[
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
  ],
  ...[
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '[::ffff:168.63.129.16]',
    '192.0.0.192',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '[fd00:c1::a9fe:a9fe]',
  ],
  // IPv6 outside of the internet.
  ...[
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fdff::1]',
    '[ff02::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[5f00::1]',
    '[2001:2::1]',
  ],
  ...['[2001:10::1]', '[2001:20::1]', '[1fff::1]', '[4000::1]', '[8000::1]', '[2620:4f:8000::1]'],
  // IPv4 in IPv6: compatible, translated, NAT64 of both prefixes, 6to4, Teredo, ISATAP.
  ...[
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::10.0.0.1]',
    '[::ffff:10.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[::ffff:0:a00:1]',
  ],
  ...[
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b::8.8.8.8]',
    '[64:ff9b:1::10.0.0.1]',
    '[64:ff9b:1:ffff::a00:1]',
  ],
  ...[
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
    '[2002:808:808::1]',
    '[2001:0:7f00:1::1]',
    '[2001::80ff:fffe]',
    '[2001:470:1f0b::5efe:10.0.0.1]',
    '[2a00::200:5efe:7f00:1]',
  ],
)

/** Names with the answers of their resolvers. */
const names = [
  named('localhost', '127.0.0.1', '127.0.0.1', '::1'),
  named('LOCALHOST', '127.0.0.1', '127.0.0.1'),
  named('localhost.', '127.0.0.1', '127.0.0.1'),
  named('ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', '127.0.0.1', '127.0.0.1'),
  named('shop.localhost', '::1', '::1'),
  named('ip6-localhost', '::1', '::1'),
  named('127.0.0.1.nip.io', '127.0.0.1', '127.0.0.1'),
  named('7f000001.nip.io', '127.0.0.1', '127.0.0.1'),
  named('127-0-0-2.sslip.io', '127.0.0.2', '127.0.0.2'),
  named('--1.sslip.io', '::1', '::1'),
  named('localtest.me', '127.0.0.1', '127.0.0.1', '::1'),
  named('mapped.example.com', '127.0.0.1', '::ffff:127.0.0.1'),
  named('zero.example.com', '127.0.0.1', '0.0.0.0'),
  named('unspecified.example.com', '::1', '::'),
  named('https://tls.example.com:PORT/', '127.0.0.1', '127.0.0.1'),
  named('10.0.0.1.nip.io', null, '10.0.0.1'),
  named('metadata.google.internal', null, '169.254.169.254'),
  named('metadata.google.internal.', null, '169.254.169.254', 'fd20:ce::254'),
  named('metadata', null, '169.254.169.254'),
  named('instance-data', null, '169.254.169.254'),
  named('instance-data.ec2.internal', null, '169.254.169.254', 'fd00:ec2::254'),
  named('metadata.tencentyun.com', null, '169.254.0.23'),
  named('azure.example.com', null, '168.63.129.16'),
  named('alibaba.example.com', null, '100.100.100.200'),
  named('kubernetes.default.svc', null, '10.96.0.1'),
  named('host.docker.internal', null, '192.168.65.254'),
  named('zone.example.com', null, 'fe80::1%lo'),
  named('nat64.example.com', null, '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe'),
  named('6to4.example.com', null, '2002:7f00:1::1'),
  named('many.example.com', null, '10.0.0.1', '192.168.0.1', 'fd00::1', '169.254.169.254', '224.0.0.1'),
]

const own = ownAddresses.flatMap((address, at) => [
  ...(address.includes('%')
    ? []
    : [{ host: address.includes(':') ? `[${address}]` : address, reaches: address }]),
  named(`own-${at}.example.com`, address, address),
])

/** Invalid URLs, for which no resolver is called. */
const invalid = [
  '[fe80::1%25lo]',
  '[fe80::1%lo]',
  '[::1%25lo]',
  '127.0.0.256',
  '0x100000000',
  '1.2.3.4.5',
  '127.0.0.1%00.example.com',
  '[::ffff:127.0.0.1.]',
].map((host): SsrfTarget => ({ host, reaches: null, invalid: true }))

export const ssrfTargets: readonly SsrfTarget[] = [...loopback, ...networks, ...names, ...own, ...invalid]

export const urlOf = ({ host }: SsrfTarget, port: number): string =>
  host.includes('PORT') ? host.replace('PORT', String(port)) : `http://${host}:${port}/hooks`
