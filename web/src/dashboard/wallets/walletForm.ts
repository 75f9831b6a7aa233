import { FieldProblem } from '../../ui/FieldProblem.ts'
import { textOf, trimmed } from '../formData.ts'
import { isChain } from '../labels.ts'
import type { NewWallet } from './types.ts'

type Named = Pick<NewWallet, 'chain'> & { name: string | undefined }

/** Network and label of a sent form. @throws FieldProblem */
export function walletIn(data: FormData): Named {
  const chain = textOf(data, 'chain')
  if (!isChain(chain)) throw new FieldProblem({ chain: 'Choose one.' })
  return { chain, name: trimmed(data, 'name') || undefined }
}

/** A wallet to store: words are a phrase, and what is one word is a private key. */
export function storedIn({ chain, name }: Named, secret: string): NewWallet {
  const isPhrase = /\p{L}\s+\p{L}/u.test(secret)
  return {
    chain,
    ...(name !== undefined && { name }),
    ...(isPhrase ? { mnemonic: secret.replaceAll(/\s+/g, ' ') } : { privateKey: secret }),
  }
}
