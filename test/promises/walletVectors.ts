/** Published test vectors, each with its source. Not computed by our code. */

/**
 * Entropy, phrase, and the seed with the passphrase TREZOR (github.com/trezor/python-mnemonic, vectors.json,
 * BIP-39's test vectors).
 */
export const bip39 = [
  [
    '00000000000000000000000000000000',
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
    'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
  ],
  [
    '7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f',
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
    '2e8905819b8723fe2c1d161860e5ee1830318dbf49a83bd451cfb8440c28bd6fa457fe1296106559a3c80937a1c1069be3a3a5bd381ee6260e8d9739fce1f607',
  ],
  [
    'ffffffffffffffffffffffffffffffff',
    'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong',
    'ac27495480225222079d7be181583751e86f571027b0497b5b5d11218e0a8a13332572917f0f8e5a589620c6f15b11c61dee327651a14c34e18231052e48c069',
  ],
  [
    '9e885d952ad362caeb4efe34a8e91bd2',
    'ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic',
    '274ddc525802f7c828d8ef7ddbcdc5304e87ac3535913611fbbfa986d0c9e5476c91689f9c8a54fd55bd38606aa6a8595ad213d4c9c9f9aca3fb217069a41028',
  ],
  [
    '808080808080808080808080808080808080808080808080',
    'letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd amount doctor acoustic avoid letter always',
    '107d7c02a5aa6f38c58083ff74f04c607c2d2c0ecc55501dadd72d025b751bc27fe913ffb796f841c49b1d33b610cf0e91d3aa239027f5e99fe4ce9e5088cd65',
  ],
  [
    '6610b25967cdcca9d59875f5cb50b0ea75433311869e930b',
    'gravity machine north sort system female filter attitude volume fold club stay feature office ecology stable narrow fog',
    '628c3827a8823298ee685db84f55caa34b5cc195a778e52d45f59bcf75aba68e4d7590e101dc414bc1bbd5737666fbbef35d1f1903953b66624f910feef245ac',
  ],
  [
    'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo vote',
    'dd48c104698c30cfe2b6142103248622fb7bb0ff692eebb00089b32d22484e1613912f0a5b694407be899ffd31ed3992c456cdf60f5d4564b8ba3f05a69890ad',
  ],
  [
    'f585c11aec520db57dd353c69554b21a89b20fb0650966fa0a9d6f74fd989d8f',
    'void come effort suffer camp survey warrior heavy shoot primary clutch crush open amazing screen patrol group space point ten exist slush involve unfold',
    '01f5bced59dec48e362f2c45b5de68b9fd6c92c6634f44d6d40aab69056506f0e35524a518034ddc1192e1dacd32c1ed3eaa3c3b131c88ed8e7e54c49a5d0998',
  ],
] as const

/** Seeds shared by BIP-32 and SLIP-10. */
const one = '000102030405060708090a0b0c0d0e0f'
const two =
  'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542'
const three =
  '4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be'

/** Seed, path, extended private key (BIP-32, "Test vectors" 1, 2 and 3). */
export const bip32 = [
  [
    one,
    "m/0'",
    'xprv9uHRZZhk6KAJC1avXpDAp4MDc3sQKNxDiPvvkX8Br5ngLNv1TxvUxt4cV1rGL5hj6KCesnDYUhd7oWgT11eZG7XnxHrnYeSvkzY7d2bhkJ7',
  ],
  [
    one,
    "m/0'/1",
    'xprv9wTYmMFdV23N2TdNG573QoEsfRrWKQgWeibmLntzniatZvR9BmLnvSxqu53Kw1UmYPxLgboyZQaXwTCg8MSY3H2EU4pWcQDnRnrVA1xe8fs',
  ],
  [
    one,
    "m/0'/1/2'",
    'xprv9z4pot5VBttmtdRTWfWQmoH1taj2axGVzFqSb8C9xaxKymcFzXBDptWmT7FwuEzG3ryjH4ktypQSAewRiNMjANTtpgP4mLTj34bhnZX7UiM',
  ],
  [
    one,
    "m/0'/1/2'/2",
    'xprvA2JDeKCSNNZky6uBCviVfJSKyQ1mDYahRjijr5idH2WwLsEd4Hsb2Tyh8RfQMuPh7f7RtyzTtdrbdqqsunu5Mm3wDvUAKRHSC34sJ7in334',
  ],
  [
    one,
    "m/0'/1/2'/2/1000000000",
    'xprvA41z7zogVVwxVSgdKUHDy1SKmdb533PjDz7J6N6mV6uS3ze1ai8FHa8kmHScGpWmj4WggLyQjgPie1rFSruoUihUZREPSL39UNdE3BBDu76',
  ],
  [
    two,
    'm/0',
    'xprv9vHkqa6EV4sPZHYqZznhT2NPtPCjKuDKGY38FBWLvgaDx45zo9WQRUT3dKYnjwih2yJD9mkrocEZXo1ex8G81dwSM1fwqWpWkeS3v86pgKt',
  ],
  [
    two,
    "m/0/2147483647'",
    'xprv9wSp6B7kry3Vj9m1zSnLvN3xH8RdsPP1Mh7fAaR7aRLcQMKTR2vidYEeEg2mUCTAwCd6vnxVrcjfy2kRgVsFawNzmjuHc2YmYRmagcEPdU9',
  ],
  [
    two,
    "m/0/2147483647'/1",
    'xprv9zFnWC6h2cLgpmSA46vutJzBcfJ8yaJGg8cX1e5StJh45BBciYTRXSd25UEPVuesF9yog62tGAQtHjXajPPdbRCHuWS6T8XA2ECKADdw4Ef',
  ],
  [
    two,
    "m/0/2147483647'/1/2147483646'/2",
    'xprvA2nrNbFZABcdryreWet9Ea4LvTJcGsqrMzxHx98MMrotbir7yrKCEXw7nadnHM8Dq38EGfSh6dqA9QWTyefMLEcBYJUuekgW4BYPJcr9E7j',
  ],
  // Keys with leading zeros, which some libraries have dropped.
  [
    three,
    "m/0'",
    'xprv9uPDJpEQgRQfDcW7BkF7eTya6RPxXeJCqCJGHuCJ4GiRVLzkTXBAJMu2qaMWPrS7AANYqdq6vcBcBUdJCVVFceUvJFjaPdGZ2y9WACViL4L',
  ],
] as const

/**
 * Seed, path, private and public key (github.com/satoshilabs/slips, SLIP-0010, "Test vector" 1 and 2 "for
 * ed25519").
 */
export const slip10 = [
  [
    one,
    "m/0'",
    '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3',
    '8c8a13df77a28f3445213a0f432fde644acaa215fc72dcdf300d5efaa85d350c',
  ],
  [
    one,
    "m/0'/1'",
    'b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2',
    '1932a5270f335bed617d5b935c80aedb1a35bd9fc1e31acafd5372c30f5c1187',
  ],
  [
    one,
    "m/0'/1'/2'/2'",
    '30d1dc7e5fc04c31219ab25a27ae00b50f6fd66622f6e9c913253d6511d1e662',
    '8abae2d66361c879b900d204ad2cc4984fa2aa344dd7ddc46007329ac76c429c',
  ],
  [
    one,
    "m/0'/1'/2'/2'/1000000000'",
    '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
    '3c24da049451555d51a7014a37337aa4e12d41e485abccfa46b47dfb2af54b7a',
  ],
  [
    two,
    "m/0'",
    '1559eb2bbec5790b0c65d8693e4d0875b1747f4970ae8b650486ed7470845635',
    '86fab68dcb57aa196c77c5f264f215a112c22a912c10d123b0d03c3c28ef1037',
  ],
  [
    two,
    "m/0'/2147483647'",
    'ea4f5bfe8694d8bb74b7b59404632fd5968b774ed545e810de9c32a4fb4192f4',
    '5ba3b9ac6e90e83effcd25ac4e58a1365a9e35a3d3ae5eb07b9e4d90bcf7506d',
  ],
  [
    two,
    "m/0'/2147483647'/1'/2147483646'/2'",
    '551d333177df541ad876a60ea71f00447931c0a9da16f227c11ea080d7391b8d',
    '47150c75db263559a70d5778bf36abbab30fb061ad69f69ece61a72b0cfa4fc0',
  ],
] as const

/**
 * Phrase, seed without passphrase, and keys of m/44'/148'/x' (github.com/stellar/stellar-protocol, SEP-5,
 * "Test Cases" 1 to 3).
 */
export const sep5 = [
  {
    phrase: 'illness spike retreat truth genius clock brain pass fit cave bargain toe',
    seed: 'e4a5a632e70943ae7f07659df1332160937fad82587216a4c64315a0fb39497ee4a01f76ddab4cba68147977f3a147b6ad584c41808e8238a07f6cc4b582f186',
    keys: {
      0: 'GDRXE2BQUC3AZNPVFSCEZ76NJ3WWL25FYFK6RGZGIEKWE4SOOHSUJUJ6 SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN',
      1: 'GBAW5XGWORWVFE2XTJYDTLDHXTY2Q2MO73HYCGB3XMFMQ562Q2W2GJQX SCEPFFWGAG5P2VX5DHIYK3XEMZYLTYWIPWYEKXFHSK25RVMIUNJ7CTIS',
      9: 'GBTVYYDIYWGUQUTKX6ZMLGSZGMTESJYJKJWAATGZGITA25ZB6T5REF44 SCJGVMJ66WAUHQHNLMWDFGY2E72QKSI3XGSBYV6BANDFUFE7VY4XNXXR',
    },
  },
  {
    phrase: 'resource asthma orphan phone ice canvas fire useful arch jewel impose vague theory cushion top',
    seed: '7b36d4e725b48695c3ffd2b4b317d5552cb157c1a26c46d36a05317f0d3053eb8b3b6496ba39ebd9312d10e3f9937b47a6790541e7c577da027a564862e92811',
    keys: {
      0: 'GAVXVW5MCK7Q66RIBWZZKZEDQTRXWCZUP4DIIFXCCENGW2P6W4OA34RH SAKS7I2PNDBE5SJSUSU2XLJ7K5XJ3V3K4UDFAHMSBQYPOKE247VHAGDB',
      5: 'GDKWYAJE3W6PWCXDZNMFNFQSPTF6BUDANE6OVRYMJKBYNGL62VKKCNCC SAVS4CDQZI6PSA5DPCC42S5WLKYIPKXPCJSFYY4N3VDK25T2XX2BTGVX',
    },
  },
  {
    phrase:
      'bench hurt jump file august wise shallow faculty impulse spring exact slush thunder author capable act festival slice deposit sauce coconut afford frown better',
    seed: '937ae91f6ab6f12461d9936dfc1375ea5312d097f3f1eb6fed6a82fbe38c85824da8704389831482db0433e5f6c6c9700ff1946aa75ad8cc2654d6e40f567866',
    keys: {
      0: 'GC3MMSXBWHL6CPOAVERSJITX7BH76YU252WGLUOM5CJX3E7UCYZBTPJQ SAEWIVK3VLNEJ3WEJRZXQGDAS5NVG2BYSYDFRSH4GKVTS5RXNVED5AX7',
      7: 'GBJ646Q524WGBN5X5NOAPIF5VQCR2WZCN6QZIDOSY6VA2PMHJ2X636G4 SC2QO2K2B4EBNBJMBZIKOYSHEX4EZAZNIF4UNLH63AQYV6BE7SMYWC6E',
    },
  },
] as const

const abandon = bip39[0][1]
const junk = 'test test test test test test test test test test test junk'
const lonely = 'neither lonely flavor argue grass remind eye tag avocado spot unusual intact'

/** Phrase, path (null: the default), address, and the private key if the source has it. */
export const addresses = {
  evm: [
    // github.com/foundry-rs/book, "anvil", and github.com/NomicFoundation/hardhat, "Hardhat Network": the
    // first accounts.
    [
      junk,
      null,
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    ],
    [
      junk,
      "m/44'/60'/0'/0/1",
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
    ],
    // github.com/ebellocchia/bip_utils, tests/bip/bip44/test_bip44.py.
    [abandon, null, '0x9858EfFD232B4033E47d90003D41EC34EcaEda94', null],
    [abandon, "m/44'/60'/0'/0/4", '0x51cA8ff9f1C0a99f88E86B8112eA3237F55374cA', null],
  ],
  solana: [
    // Solana docs, "Cookbook", "Restore a wallet from a mnemonic".
    [lonely, null, '5vftMkHL72JaJG6ExQfGAsT2uGVHpRR7oTNUPMs68Y2N', null],
    [lonely, "m/44'/501'/1'/0'", 'GcXbfQ5yY3uxCyBNDPBbR5FjumHf89E7YHXuULfGDBBv', null],
    [lonely, "m/44'/501'/9'/0'", '6frdqXQAgJMyKwmZxkLYbdGjnYTvUceh6LNhkQt2siQp', null],
    // github.com/ebellocchia/bip_utils, tests/bip/bip44/test_bip44.py.
    [abandon, "m/44'/501'/0'", 'GjJyeC1r2RgkuoCWMyPYkCWSGSGLcz266EaAkLA27AhL', null],
    [abandon, "m/44'/501'/0'/0'/0'", 'B9sVeu4rJU12oUrUtzjc6BSNuEXdfvurZkdcaTVkP2LY', null],
  ],
  tron: [
    // github.com/ebellocchia/bip_utils, tests/bip/bip44/test_bip44.py; the key:
    // github.com/hyperlane-xyz/hyperlane-monorepo, typescript/tron-sdk/src/testing/constants.ts.
    [
      abandon,
      null,
      'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
      'b5a4cea271ff424d7c31dc12a3e43e401df7a40d7412a15750f3f0b6b5449a28',
    ],
    [abandon, "m/44'/195'/0'/0/1", 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK', null],
    [abandon, "m/44'/195'/0'/0/4", 'TT2X2yyubp7qpAWYYNE5JQWBtoZ7ikQFsY', null],
  ],
  stellar: [
    // SEP-5, "Test Cases" 1.
    [sep5[0].phrase, null, ...(sep5[0].keys[0].split(' ') as [string, string])],
    // github.com/ebellocchia/bip_utils, tests/bip/bip44/test_bip44.py.
    [abandon, null, 'GB3JDWCQJCWMJ3IILWIGDTQJJC5567PGVEVXSCVPEQOTDN64VJBDQBYX', null],
    [abandon, "m/44'/148'/0'/0'/0'", 'GBAECME5H27NLRFYZLFF6SAF5NSFRPOWP72PNKGSRUWRMTGSAOCD3AYN', null],
  ],
} as const

/**
 * Addresses of the key 46…46 (github.com/trustwallet/wallet-core,
 * tests/common/CoinAddressDerivationTests.cpp, "DeriveAddress").
 */
export const ofOneKey = {
  key: '46'.repeat(32),
  evm: '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F',
  solana: 'H4JcMPicKkHcxxDjkyyrLoQj7Kcibd9t815ak4UvTr9M',
  tron: 'TQLCsShbQNXMTVCjprY64qZmEA4rBarpQp',
  stellar: 'GDXJHJHWN6GRNOAZXON6XH74ZX6NYFAS5B7642RSJQVJTIPA4ZYUQLEB',
}
