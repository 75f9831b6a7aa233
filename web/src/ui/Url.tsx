import { Parts } from './Parts.tsx'

/**
 * Breaks before the slashes of the path, the parts of the query, and the dots of a name, but not of a number.
 */
const breaks = /(?<=[^/:])(?=\/|[?&]|\.[a-z])/i

export const Url = ({ of }: { of: string }) => <Parts of={of} breaks={breaks} className="url" />
