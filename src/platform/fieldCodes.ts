/**
 * The code of each mistake in a field of a request (`fields[].code`): one for one mistake, in every operation.
 * Stable: codes are added, and never change their meaning. docs/mistakes.md and the contract are made of it.
 */
export const fieldCodes = {
  required: 'The field is missing, or null.',
  unknown_field: 'The operation has no such field. The message has the nearest one.',
  not_both: 'Of these fields only one may be given.',
  not_possible: 'The field, or its value, is not possible with the other fields.',
  wrong_type: 'The value has another JSON type, such as a number in place of a text.',
  empty: 'The parameter is there, without a value.',
  unknown_value: 'The value is none of those that the field takes. The message has them.',
  duplicate: 'The list has the value twice.',
  too_small: 'The number or amount is below the minimum.',
  too_large: 'The number or amount is above the maximum.',
  amount_below_minimum:
    'The amount is less than the business requests of this token with one session. The message has the bound.',
  amount_above_maximum:
    'The amount is more than the business requests of this token with one session, or than the chain can hold. The message has the bound.',
  too_many_decimals: 'The amount has more decimals than the token or currency.',
  too_short: 'The text has too few characters.',
  too_long: 'The text has too many characters, or the object too many bytes.',
  too_few: 'The list or object has too few entries.',
  too_many: 'The list or object has too many entries.',
  invalid_form: 'The text does not have the form of this field. The message has an example.',
  invalid_amount: 'The text is not a decimal such as 25.5.',
  invalid_time: 'The text is not a time such as 2026-11-28T12:00:00Z, nor a date such as 2026-11-28.',
  invalid_date: 'The text is not a day of the calendar such as 2026-11-28.',
  invalid_uuid: 'The text is not a UUID.',
  invalid_url: 'The text is not an address of the web that is possible here.',
  unlisted_host:
    'The host of the address is none of those that the business has listed. The message has them.',
  invalid_email: 'The text is not an email address.',
  invalid_phone: 'The text is not a phone number such as +2348012345678.',
  invalid_country: 'The text is not an ISO 3166 code of a country, such as NG.',
  invalid_currency: 'The text is not an ISO 4217 code of a currency, such as NGN.',
  unknown_currency: 'There is no exchange rate for the currency. The message has those that there are.',
  unknown_chain: 'Cowry does not know the chain. The message has those that it knows.',
  unavailable_chain: 'This deployment does not have the chain. The message has those that it has.',
  unknown_token: 'Cowry does not know the token. The message has those that it knows.',
  unavailable_token: 'The chain, or the business, does not have the token.',
  invalid_address: 'The text is not an address of the chain.',
  wrong_chain_address: 'The text is an address of another kind of chain.',
  invalid_private_key: 'The text is not a private key of the chain.',
  invalid_mnemonic: 'The words are not a phrase of BIP-39.',
  invalid_memo: 'The memo does not have the form of its type.',
  invalid_cursor: 'The text is not a `nextCursor` of this list.',
  unsafe_text: 'The text holds a secret, or characters that cannot be stored or seen.',
  invalid: 'Something else; the message has the reason.',
} as const

export type FieldCode = keyof typeof fieldCodes
