const maxSteps = 10
/** BIP-32: a child's number has 31 bits, and one that marks it as hardened. */
const numbers = 2 ** 31

/**
 * The reason to refuse a derivation path, as the rest of a sentence after the path's name; null if it is
 * valid.
 * @param hardenedOnly the curve has no other steps (SLIP-10, ed25519)
 */
export function refuseDerivationPath(
  path: string,
  { hardenedOnly }: { hardenedOnly: boolean },
): string | null {
  const [root, ...steps] = path.split('/')
  if (root !== 'm' || steps.length === 0) return 'must begin with m/, as BIP-32 writes paths'
  if (steps.length > maxSteps) return `must have at most ${maxSteps} steps`
  if (!steps.every((step) => /^(0|[1-9]\d{0,9})'?$/.test(step)))
    return "must be whole numbers separated by /, each followed by ' if it is hardened"
  if (!steps.every((step) => Number.parseInt(step, 10) < numbers))
    return `must have no step of ${numbers} or more`
  return hardenedOnly && !steps.every((step) => step.endsWith("'"))
    ? "must have hardened steps only, each followed by ': this curve has no others"
    : null
}
