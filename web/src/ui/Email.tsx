import { Parts } from './Parts.tsx'

/** Breaks before the `@` and before the dots of the domain. */
const breaks = /(?=[@.](?=[^@]*$))/

export const Email = ({ of }: { of: string }) => <Parts of={of} breaks={breaks} className="email" />
