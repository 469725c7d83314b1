import type { Delivery } from '../src/statistics/append/delivery.ts';
import { FoldedStatistics } from './folded-object.ts';

/** The usage of objects, as the platform bills it, except for requests from outside. */
export interface ObjectUse {
  alarms: number;
  rowsRead: number;
  /** Alarms that were set count as a row each. */
  rowsWritten: number;
  /** The time that appends and alarms took. */
  milliseconds: number;
}

const NO_USE: Readonly<ObjectUse> = { alarms: 0, rowsRead: 0, rowsWritten: 0, milliseconds: 0 };
let use: ObjectUse = { ...NO_USE };

/** The usage of this isolate's objects since the last call. What still runs counts when it is done. */
export function takeObjectUse(): ObjectUse {
  const taken = use;
  use = { ...NO_USE };
  return taken;
}

/** The object as it is, which counts what it uses. */
export class CountedStatistics extends FoldedStatistics {
  constructor(ctx: DurableObjectState, bindings: Env) {
    countRows(ctx.storage);
    super(ctx, bindings);
  }

  override append(delivery: Delivery) {
    return timed(this.ctx.storage, () => super.append(delivery));
  }

  override async retainAll(): Promise<void> {
    await timed(this.ctx.storage, () => super.retainAll());
  }

  override async alarm(): Promise<void> {
    use.alarms += 1;
    await timed(this.ctx.storage, () => super.alarm());
  }
}

async function timed<Result>({ sql }: DurableObjectStorage, work: () => Promise<Result>): Promise<Result> {
  const from = Date.now();
  try {
    return await work();
  } finally {
    // The clock stands still while code runs.
    await scheduler.wait(0);
    use.milliseconds += Date.now() - from;
    for (const cursor of cursorsOf(sql).splice(0)) countCursor(cursor);
  }
}

interface Cursor {
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

/** The cursors of questions, which are read after they are opened, but before the next pause: by their own object alone. */
const cursors = new WeakMap<SqlStorage, Cursor[]>();

function cursorsOf(sql: SqlStorage): Cursor[] {
  const known = cursors.get(sql) ?? [];
  cursors.set(sql, known);
  return known;
}

function countCursor({ rowsRead, rowsWritten }: Cursor): void {
  use.rowsRead += rowsRead;
  use.rowsWritten += rowsWritten;
}

type Exec = (query: string, ...params: unknown[]) => Cursor;
type SetAlarm = (at: number | Date) => Promise<void>;

let isCounted = false;

/** Counts the rows of all objects from now on. Every object has the same prototypes. */
export function countRows(storage: DurableObjectStorage): void {
  if (isCounted) return;
  isCounted = true;
  wrapMethod<Exec>(Object.getPrototypeOf(storage.sql), 'exec', (exec, sql) => (query, ...params) => {
    const cursor = exec(query, ...params);
    // A statement that only writes is done by now.
    if (/^\s*SELECT|RETURNING/.test(query)) cursorsOf(sql as SqlStorage).push(cursor);
    else countCursor(cursor);
    return cursor;
  });
  wrapMethod<SetAlarm>(Object.getPrototypeOf(storage), 'setAlarm', (setAlarm) => (at) => {
    use.rowsWritten += 1;
    return setAlarm(at);
  });
}

/** Replaces a method of all objects of a class. */
function wrapMethod<Method extends (...args: never[]) => unknown>(
  prototype: Record<string, unknown>,
  name: string,
  around: (method: Method, self: object) => Method,
): void {
  const method = prototype[name] as Method;
  prototype[name] = function wrapped(this: object, ...args: never[]) {
    return around(method.bind(this) as Method, this)(...args);
  };
}
