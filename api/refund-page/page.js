// The token is in the fragment, which no server sees.
const chains = {
  ethereum: 'Ethereum',
  polygon: 'Polygon',
  bsc: 'BNB Smart Chain',
  base: 'Base',
  arbitrum: 'Arbitrum',
  optimism: 'Optimism',
  solana: 'Solana',
  tron: 'Tron',
  stellar: 'Stellar',
}
const over = 'This link can no longer be used. Ask the shop for another one.'
const reversed =
  'The network has taken your payment back, so there is nothing to refund. If you were charged, ask the shop.'
const byId = (id) => document.getElementById(id)
const show = (id, shown = true) => {
  byId(id).hidden = !shown
}
const write = (id, text) => {
  byId(id).textContent = text
}

const token = location.hash.slice(1)
let refund

async function ask(path, body) {
  const response = await fetch(`/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
  })
  return { status: response.status, body: await response.json() }
}

/** Why the link does not work now; null: the request itself was refused. */
function problemOf(status, { error }) {
  if (error === 'payment_reversed') return reversed
  if (status === 404 || status === 410) return over
  if (status === 429) return 'There were too many requests from your network. Try again in a minute.'
  return status >= 500 ? 'This does not work at the moment. Try again in a minute.' : null
}

function fail(text) {
  write('problem', text)
  show('problem')
}

function step(name) {
  for (const each of ['name', 'confirm', 'done']) show(each, each === name)
  if (name !== 'name') byId(name).querySelector('h2').focus()
}

function markField(field, text) {
  write(`${field}-error`, text)
  if (text === '') byId(field).removeAttribute('aria-invalid')
  else byId(field).setAttribute('aria-invalid', 'true')
}

const wanted = () => {
  const memo = byId('memo').value.trim()
  return {
    token,
    toAddress: byId('address').value.trim(),
    ...(refund.takesMemo && memo !== '' && { memo, memoType: byId('memo-type').value }),
  }
}

byId('name').addEventListener('submit', (event) => {
  event.preventDefault()
  markField('address', '')
  markField('memo', '')
  show('problem', false)
  const { toAddress, memo } = wanted()
  write('confirm-amount', `${refund.amount} ${refund.token}`)
  write('confirm-address', toAddress)
  write('confirm-memo', memo ?? 'none')
  for (const each of document.querySelectorAll('.confirm-memo')) each.hidden = !refund.takesMemo
  step('confirm')
})

byId('back').addEventListener('click', () => {
  step('name')
  byId('address').focus()
})

byId('confirm').addEventListener('submit', async (event) => {
  event.preventDefault()
  const buttons = byId('confirm').querySelectorAll('button')
  for (const button of buttons) button.disabled = true
  try {
    const { status, body } = await ask('/refund-claims', wanted())
    const problem = problemOf(status, body)
    if (status === 200) {
      write('done-amount', `${body.amount} ${body.token}`)
      write('done-address', body.toAddress)
      show('refund', false)
      step('done')
    } else if (problem !== null) {
      fail(problem)
      if (problem === over || problem === reversed)
        for (const each of ['refund', 'name', 'confirm']) show(each, false)
    } else refuse(body)
  } catch {
    fail(
      'The answer was lost. Load this page again: where the link no longer works, your address has arrived.',
    )
  } finally {
    for (const button of buttons) button.disabled = false
  }
})

const wrongAddress = () => {
  const chain = chains[refund.chain] ?? refund.chain
  return {
    invalid_address: `This is not an address on ${chain}.`,
    wrong_chain_address: `This address is of another chain: the money goes out on ${chain}.`,
    own_address: 'This is an address for payments to the shop. Name one of your own.',
    recipient_is_token: 'This is the address of a token, not of a wallet.',
    recipient_without_key:
      'Nobody has the key of this address: the money would be lost. Name a wallet of your own.',
  }
}

/** Shows the field that is wrong, in the first step. */
function refuse({ error, message, fields = [] }) {
  step('name')
  for (const { field, message: text } of fields) {
    if (field === 'toAddress') markField('address', wrongAddress()[error] ?? `It ${text}.`)
    else markField('memo', `It ${text}.`)
  }
  if (fields.length === 0) fail(message ?? 'This address was refused.')
  byId(fields[0]?.field === 'toAddress' ? 'address' : 'memo').focus()
}

async function begin() {
  if (token === '') return fail(over)
  const { status, body } = await ask('/refund-claims/look', { token })
  if (status !== 200) return fail(problemOf(status, body) ?? over)
  refund = body
  write('merchant', refund.merchant)
  write('amount', refund.amount)
  write('token', refund.token)
  const until = byId('until')
  until.dateTime = refund.expiresAt
  until.textContent = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'short' }).format(
    new Date(refund.expiresAt),
  )
  for (const each of document.querySelectorAll('.chain'))
    each.textContent = chains[refund.chain] ?? refund.chain
  show('memo-fields', refund.takesMemo)
  show('refund')
  step('name')
}

begin().catch(() => fail('This does not work at the moment. Load the page again in a minute.'))
