import type { FieldCode } from '../../src/platform/fieldCodes.ts'

/** A code, and its sentence as a predicate. */
export interface Wording {
  code: FieldCode
  message: string
}

const amount = (decimals: string): Wording => ({
  code: 'invalid_amount',
  message: `must be a decimal number such as 25.5, without sign or exponent${decimals}`,
})
const form = (message: string): Wording => ({ code: 'invalid_form', message })
const digits = (most: number) => form(`must be a whole number, of ${most} digits at most`)
const visible = form('must be visible characters, without spaces')
const oneLine = form('must be text in one line, with something visible in it')
const email: Wording = {
  code: 'invalid_email',
  message: 'must be an email address, such as ada@shop.example',
}
const asset = form('must be an asset such as ethereum:USDC, or USD')

/** What the patterns of the contract mean, in words. A test requires each pattern of a request. */
export const patternForms: Readonly<Record<string, Wording>> = {
  '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?$': amount(''),
  '^(0|[1-9][0-9]*)(\\.[0-9]+)?$': amount(''),
  '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,6})?$': amount(', with 6 decimals at most'),
  '^(0|[1-9][0-9]{0,5})(\\.[0-9]{1,6})?$': amount(', below 1000000, with 6 decimals at most'),
  '^(0|[1-9][0-9]?)(\\.[0-9]{1,6})?$': amount(', below 100, with 6 decimals at most'),
  '^(0|[1-9][0-9]{0,3})([.][0-9]{1,8})?$': amount(', below 10000, with 8 decimals at most'),
  '^(10(\\.0{1,2})?|[0-9](\\.[0-9]{1,2})?)$': amount(', 10 at most, with 2 decimals at most'),
  '^[A-Z]{3}$': {
    code: 'invalid_currency',
    message: 'must be a currency code of three capital letters, such as NGN',
  },
  '^[A-Z]{2}$': {
    code: 'invalid_country',
    message: 'must be a country code of two capital letters, such as NG',
  },
  '^[^\\s@]+@[^\\s@]+$': email,
  '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$': email,
  '^\\+[1-9][0-9]{6,14}$': {
    code: 'invalid_phone',
    message: 'must be a phone number with its country, such as +2348012345678',
  },
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}$': { code: 'invalid_date', message: 'must be a date such as 2026-11-28' },
  '^https://[!-~]+$': { code: 'invalid_url', message: 'must be an address that begins with https://' },
  '^(https://[a-z0-9]([a-z0-9.-]*[a-z0-9])?|http://localhost)(:[1-9][0-9]{0,4})?$': {
    code: 'invalid_url',
    message: 'must be an origin such as https://shop.example, without a path',
  },
  '^[A-Za-z0-9_-]{22,64}$': form('must be 22 to 64 letters, digits, _ or -'),
  '^[a-z][a-z-]*$': form('must be small letters and hyphens, such as webhook-delivery'),
  '^[0-9]{4}-(0[1-9]|1[0-2])$': form('must be a month such as 2026-11'),
  '^[0-9]{6}$': form('must be the six digits of the authenticator'),
  '^[0-9]{1,12}$': digits(12),
  '^[0-9]{1,15}$': digits(15),
  '^[0-9]{1,20}$': digits(20),
  '^[\\x21-\\x7e]+$': visible,
  '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$': form(
    'must be letters, digits and signs of ASCII, without a space at either end',
  ),
  '^[^\\x00]*$': { code: 'unsafe_text', message: 'must not contain the character NUL' },
  '\\S': oneLine,
  '^[^\\x00-\\x1f\\x7f]*[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$': oneLine,
  '^[^\\x00]*[^\\x00-\\x20][^\\x00]*$': form('must be text with something visible in it'),
  '^([a-z]+\\.([a-z_]+|\\*)|\\*)$': form('must be a type of events such as session.paid, or session.*'),
  '^[a-z]+\\.([a-z_]+|\\*)$': form('must be a type of events such as session.paid, or session.*'),
  '^[a-z]+\\.([a-z_]+|\\*)(,[a-z]+\\.([a-z_]+|\\*)){0,19}$': form(
    'must be types of events such as session.paid or session.*, separated by commas, 20 at most',
  ),
  '^(USD|[a-z0-9-]+:[A-Za-z0-9.]+)$': asset,
  '^([a-z0-9-]+:[A-Za-z0-9.]+|USD)$': asset,
  '^[A-Za-z0-9.]{1,20}$': form('must be a symbol such as USDC'),
  '^[A-Za-z0-9.]+$': form('must be a symbol such as USDC'),
  '^[A-Z0-9]{3,10}$': form('must be 3 to 10 capital letters and digits'),
  '^[0-9A-Za-z -]+$': form('must be letters, digits, spaces and hyphens'),
  '^\\+?[0-9A-Za-z]+$': form('must be letters and digits, or a phone number'),
  '^[A-Za-z0-9_-]+$': form('must be letters, digits, _ and -, as it was given'),
  '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$': form('must be the name of a time zone, such as Africa/Lagos'),
  '^[0-9A-Za-z][0-9A-Za-z ./-]*$': form(
    'must be letters, digits, spaces and . / -, and begin with one of the first two',
  ),
  '^[a-z]{1,40}$': form('must be small letters'),
  '^[a-z][a-z0-9_]{0,39}$': form('must be small letters, digits and _, and begin with a letter'),
  '^(available|credit|fees|fx_margin|rewards|penalties|rounding|exchange|capital|network_costs|(deposits|treasury|staking|partner):[a-z0-9-]+)$':
    form('must be an account of the books, such as fees or deposits:ethereum'),
}

export const formatForms: Readonly<Record<string, Wording>> = {
  'date-time': {
    code: 'invalid_time',
    message: 'must be a time such as 2026-11-28T12:00:00Z',
  },
  date: { code: 'invalid_date', message: 'must be a date such as 2026-11-28' },
  uuid: { code: 'invalid_uuid', message: 'must be a UUID such as 1b4e28ba-2fa1-41d2-883f-0016d3cca427' },
  email,
  uri: { code: 'invalid_url', message: 'must be an address such as https://shop.example/hook' },
}
