import { inputText } from './input-text.ts';

/** Inside the traced Worker: records the calls of functions, in their order. */

/** A call: the number of the function, and that of its input, which equal inputs share; -1 for the input of a closure. */
export type Call = readonly [fn: number, input: number];

/** The recorded calls and inputs. */
export interface Recording {
  readonly calls: readonly Call[];
  /** The inputs by their numbers, as short texts. */
  readonly inputs: readonly string[];
}

const SHOWN_CHARACTERS = 100;

let calls: Call[] = [];
let inputs = new Map<string, number>();
let isOn = false;

/** Called first by each function of the sources. */
export function enter(fn: number, given?: ArrayLike<unknown>, self?: unknown): void {
  if (isOn) calls.push([fn, given === undefined ? -1 : numberOf(inputText(given, self))]);
}

function numberOf(input: string): number {
  const known = inputs.get(input);
  if (known !== undefined) return known;
  inputs.set(input, inputs.size);
  return inputs.size - 1;
}

export function startRecording(): void {
  [calls, inputs, isOn] = [[], new Map(), true];
}

export const recordedCalls = (): number => calls.length;

export function stopRecording(): Recording {
  isOn = false;
  return { calls, inputs: [...inputs.keys()].map((text) => text.slice(0, SHOWN_CHARACTERS)) };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const RealDate = Date;
let now: number | null = null;

/**
 * Stops the clock, so that what an isolate remembers for seconds does not depend on how fast a machine is: at noon of the
 * next day, before which no alarm of an object comes. A Worker learns the time with its first request.
 */
export function stopClock(): void {
  now ??= (Math.floor(RealDate.now() / DAY_MS) + 1.5) * DAY_MS;
}

class StoppedDate extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [StoppedDate.now()] : given) as [number]));
  }

  static override now(): number {
    return now ?? RealDate.now();
  }
}

globalThis.Date = StoppedDate as DateConstructor;
