import type { Database } from '../../database/database.ts';
import { derivedEventId, newEventId } from '../../events/record.ts';
import type { Decision } from './import-decision.ts';
import type { ImportCounts, ImportEvent } from './import-step.ts';
import { finishEvent } from './import-store.ts';

/** An import whose file comes in pieces. */
export interface ImportPart {
  readonly clientId: string;
  /** Of the caller: the same for all pieces, and for no other import of the client. */
  readonly importId: string;
  /** The counts of the pieces before. */
  readonly before: ImportCounts;
}

/**
 * Announces the event of an import in pieces, with the counts of the whole file. If it is never finished, the sweep
 * announces it a minute after the last piece. Throws `store_unavailable`.
 */
export async function finishImport(
  db: Database,
  part: Pick<ImportPart, 'clientId' | 'importId'>,
  counts: ImportCounts,
): Promise<void> {
  await finishEvent(db, importIdOf(part), counts);
}

/** The event of an import: for each round trip what it has to record. */
export class OpenEvent {
  readonly #part: ImportPart | undefined;
  #id: string;
  #isLast = false;
  /** The state of the import's row and of its id: no row, a row whose id waits to be sent, or one whose id was sent. */
  #state: 'none' | 'waiting' | 'sent' = 'none';

  constructor(part: ImportPart | undefined) {
    this.#part = part;
    this.#id = part ? importIdOf(part) : newEventId();
  }

  next(decisions: readonly Decision[], isLast: boolean): ImportEvent {
    if (this.#state === 'sent') {
      // Rows that are tried again after that get another event.
      this.#id = newEventId();
      this.#state = 'none';
    }
    this.#isLast = isLast && !this.#part;
    return { id: this.#id, isLast: this.#isLast, ...this.#countsOf(decisions) };
  }

  noteRecorded(): void {
    this.#state = this.#isLast ? 'sent' : 'waiting';
  }

  /** If the last round trip has not recorded it, its counts are not final yet. */
  async end(db: Database, decisions: readonly Decision[]): Promise<void> {
    if (!this.#part && this.#state === 'waiting') await finishEvent(db, this.#id, this.#countsOf(decisions));
  }

  #countsOf(decisions: readonly Decision[]): ImportCounts {
    const { rows, unchanged, failed } = this.#part?.before ?? { rows: 0, unchanged: 0, failed: 0 };
    const count = (...statuses: readonly Decision['status'][]) =>
      decisions.filter(({ status }) => statuses.includes(status)).length;
    return {
      rows: rows + decisions.length,
      unchanged: unchanged + count('unchanged', 'follows'),
      failed: failed + count('error'),
    };
  }
}

/** The id of an import in pieces: that of its event and of its entry in the audit log. */
export const importIdOf = ({ clientId, importId }: Pick<ImportPart, 'clientId' | 'importId'>): string =>
  derivedEventId(['import', clientId, importId]);
