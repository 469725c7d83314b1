/** Says what a deploy does, a line a step. */
export interface Report {
  /** @param outcome such as "created" */
  readonly done: (step: string, outcome: string) => void;
}

const WIDTH = 34;

export const terminalReport: Report = {
  done: (step, outcome) => console.log(`${step.padEnd(WIDTH)} ${outcome}`),
};
