/** The least or the highest value that a figure should have; neither if it is only reported. */
export interface Goal {
  readonly least?: number;
  readonly most?: number;
}

export function isMet({ least = -Infinity, most = Infinity }: Goal, value: number): boolean {
  return value >= least && value <= most;
}

export function goalText({ least, most }: Goal): string {
  if (least !== undefined) return `>= ${least}`;
  return most === undefined ? '-' : `<= ${most}`;
}

/** A cell that says if a goal is met; a dash if there is none. */
export function metText(goal: Goal, value: number): string {
  if (goalText(goal) === '-') return '-';
  return isMet(goal, value) ? 'yes' : 'no';
}
