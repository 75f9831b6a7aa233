import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { canonicalNetwork } from './addresses.ts'
import { Secret } from './secrets.ts'

/** Variables of the environment, each with its form and default. */
export interface Settings {
  variables: Readonly<Record<string, z.ZodType>>
  /** Mistakes that only several values together show, a sentence each. */
  mistakes?(values: Readonly<Record<string, unknown>>): string[]
}

export type SettingValues<S extends Settings> = {
  [Name in keyof S['variables']]: z.output<S['variables'][Name]>
}

// Forms of values.
export const port = z.coerce.number().int().min(0).max(65535)
export const positive = z.coerce.number().int().positive()
export const url = (protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  })
export const secret = (bytes: number) =>
  z
    .string()
    .refine((text) => Buffer.from(text, 'base64').length === bytes, {
      message: `must be ${bytes} bytes in base64 (openssl rand -base64 ${bytes})`,
    })
    .transform((text) => new Secret(text))

/** One or more keys of 32 bytes in base64, separated by commas. */
export const publicKeys = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim()))
  .refine((keys) => keys.every((each) => Buffer.from(each, 'base64').length === 32), {
    message: 'must be keys of 32 bytes in base64, separated by commas',
  })

/** Addresses and networks in canonical form, separated by commas. */
export const networks = z.string().transform((text, context) =>
  text.split(',').flatMap((each) => {
    if (each.trim() === '') return []
    const outcome = canonicalNetwork(each)
    if ('network' in outcome) return [outcome.network]
    context.addIssue({ code: 'custom', message: `has an entry that ${outcome.problem}` })
    return []
  }),
)

/**
 * Names, addresses and networks, separated by commas. A mistyped network must not pass as a host name that
 * does not exist.
 */
export const hosts = z.string().transform((text, context) =>
  text.split(',').flatMap((each) => {
    const entry = each.trim()
    const outcome = canonicalNetwork(entry)
    if (!('network' in outcome) && /[/:]/.test(entry))
      context.addIssue({ code: 'custom', message: `has an entry that ${outcome.problem}` })
    return entry === '' ? [] : [entry]
  }),
)

/** Certificates of authorities: the value is the path of a PEM file. */
export interface Certificates {
  file: string
  pem: string
}

export const certificates = z.string().transform((file, context): Certificates => {
  try {
    const pem = readFileSync(file, 'utf8')
    new X509Certificate(pem)
    return { file, pem }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    context.addIssue({
      code: 'custom',
      message: `must name a certificate in PEM that this process can read${code === undefined ? '' : ` (${code})`}`,
    })
    return z.NEVER
  }
})

/** Host and port of a server. */
export interface Server {
  host: string
  port: number
}

/** `host:port`, separated by commas; without a port its default. */
export const servers = (defaultPort: number) =>
  z.string().transform((text, context) =>
    text.split(',').flatMap((each): Server[] => {
      const entry = each.trim()
      if (entry === '') return []
      const url = URL.parse(`tcp://${entry}`)
      if (url && url.hostname !== '' && url.username === '' && url.pathname === '' && url.search === '')
        return [{ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || defaultPort }]
      context.addIssue({ code: 'custom', message: 'has an entry that is not host:port' })
      return []
    }),
  )

/** The wait before each attempt; the first attempt is immediate. */
export const waits = z
  .string()
  .transform((text) => text.split(',').map((each) => (each.trim() === '' ? Number.NaN : Number(each))))
  .refine((seconds) => seconds[0] === 0 && seconds.every((each) => Number.isSafeInteger(each) && each >= 0), {
    message: 'must be whole seconds, separated by commas, starting with 0',
  })

/** The wait after each failed attempt. */
export const waitsAfter = z
  .string()
  .transform((text) => text.split(',').map((each) => (each.trim() === '' ? Number.NaN : Number(each))))
  .refine((seconds) => seconds.every((each) => Number.isSafeInteger(each) && each > 0), {
    message: 'must be whole seconds, separated by commas',
  })
