export type Dice = () => number
export const pick = (dice: Dice, below: number) => Math.floor(dice() * below)
export const one = <T>(dice: Dice, of: readonly T[]): T => of[pick(dice, of.length)] as T
