import { unsafe } from '../../swaps/checkPrice.ts'
import type { BuiltInstruction } from './build.ts'

/** The arguments of a swap, and the accounts that have a meaning; those after them are the venues'. */
export interface Route {
  inAmount: bigint
  quotedOutAmount: bigint
  slippageBps: number
  platformFeeBps: number
  positiveSlippageBps: number
  user: string
  source: string
  destination: string
  /** Only of `route_v2`: another account that gets what was bought; the program stands for no account. */
  furtherDestination: string | null
  sourceMint: string
  destinationMint: string
  sourceProgram: string
  destinationProgram: string
  eventAuthority: string
  program: string
}

type Role =
  | 'user'
  | 'source'
  | 'destination'
  | 'sourceMint'
  | 'destinationMint'
  | 'sourceProgram'
  | 'destinationProgram'

/** Places of the accounts, and of the arguments after the discriminator (the program's IDL on the chain). */
interface Layout {
  places: Readonly<Record<Role | 'eventAuthority' | 'program', number>>
  furtherDestination: number | null
  argumentsAt: number
}

/** By discriminator: the first eight bytes of SHA-256("global:" and the name). */
const layouts: Readonly<Record<string, Layout>> = {
  // route_v2
  bb64facc31c4af14: {
    places: {
      ...{
        user: 0,
        source: 1,
        destination: 2,
        sourceMint: 3,
        destinationMint: 4,
        sourceProgram: 5,
        destinationProgram: 6,
      },
      ...{ eventAuthority: 8, program: 9 },
    },
    furtherDestination: 7,
    argumentsAt: 8,
  },
  // shared_accounts_route_v2: an id of the program's authority comes first.
  d19853937cfed8e9: {
    places: {
      ...{
        user: 1,
        source: 2,
        destination: 5,
        sourceMint: 6,
        destinationMint: 7,
        sourceProgram: 8,
        destinationProgram: 9,
      },
      ...{ eventAuthority: 10, program: 11 },
    },
    furtherDestination: null,
    argumentsAt: 9,
  },
}

const discriminatorBytes = 8
/** Two amounts and three shares, before the plan of the route. */
const argumentBytes = 22

/**
 * Decodes a swap of Jupiter. @throws SwapProviderError `unsafe_answer` for any other instruction of the
 * program
 */
export function readRoute({ accounts, data }: BuiltInstruction): Route {
  const bytes = Buffer.from(data, 'base64')
  const layout = layouts[bytes.subarray(0, discriminatorBytes).toString('hex')]
  if (layout === undefined) throw unsafe('the instruction of the swap')
  const { places, furtherDestination, argumentsAt: at } = layout
  if (bytes.length < at + argumentBytes) throw unsafe('the arguments of the swap')
  const accountAt = (place: number): string => {
    const account = accounts[place]
    if (!account) throw unsafe('the accounts of the swap')
    return account.pubkey
  }
  const named = Object.fromEntries(Object.entries(places).map(([role, place]) => [role, accountAt(place)]))
  return {
    ...(named as Record<keyof typeof places, string>),
    furtherDestination: furtherDestination === null ? null : accountAt(furtherDestination),
    inAmount: bytes.readBigUInt64LE(at),
    quotedOutAmount: bytes.readBigUInt64LE(at + 8),
    slippageBps: bytes.readUInt16LE(at + 16),
    platformFeeBps: bytes.readUInt16LE(at + 18),
    positiveSlippageBps: bytes.readUInt16LE(at + 20),
  }
}
