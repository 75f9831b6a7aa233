/**
 * What one person can do alone, kept without the product's rule: whom and what each person can act through.
 */

export type Role = 'owner' | 'developer' | 'viewer'

/** A person by number; a key by its name. */
export type Requester = number | string

/** A request that waits, and its effect on what is protected. */
export interface Request {
  by: Requester
  approvedBy: number | null
  /** True for a payment: its requester stays entitled, and its effect is the approval itself. */
  isPayment: boolean
}

export class OwnersModel {
  readonly roles = new Map<number, Role>()
  /** Everyone that a person can act through, with the person. */
  private readonly hands = new Map<number, Set<number>>()
  private readonly makers = new Map<string, Set<number>>()
  readonly requests = new Map<string, Request>()

  private handsOf(person: number): Set<number> {
    const known = this.hands.get(person) ?? new Set([person])
    this.hands.set(person, known)
    return known
  }

  /**
   * One person brings in another, or raises their role. A person who acts through the first acts through the
   * other too.
   */
  brings(by: number, other: number): void {
    if (by === other) return
    const gained = this.handsOf(other)
    this.handsOf(by)
    for (const hands of this.hands.values()) if (hands.has(by)) for (const each of gained) hands.add(each)
  }

  makesKey(by: number, key: string): void {
    this.makers.set(key, (this.makers.get(key) ?? new Set()).add(by))
  }

  /** A person could have made the request alone. */
  couldRequest(person: number, by: Requester): boolean {
    const hands = this.handsOf(person)
    return typeof by === 'number'
      ? hands.has(by)
      : [...(this.makers.get(by) ?? [])].some((maker) => hands.has(maker))
  }

  owners(): number[] {
    return [...this.roles].filter(([, role]) => role === 'owner').map(([person]) => person)
  }
}
