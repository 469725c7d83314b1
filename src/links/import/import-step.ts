import type { AccessRow } from '../../accounts/access.ts';
import type { ManagedLink } from '../managed-link.ts';
import type { OpenRow } from './open-row.ts';

/** A step of an import: the links that it creates, the rows that it asks about, and what it finds. */

/** A link that is to be created from a row. */
export interface Draft extends OpenRow {
  readonly id: string;
  /** That of the row, or a generated one. */
  readonly slug: string;
  readonly secId: string;
  /** When the link was created, here or where it comes from. */
  readonly createdAt: number;
  readonly importedAt: number;
}

/** The rows of a file, those whose links existed, and those refused. */
export interface ImportCounts {
  readonly rows: number;
  readonly unchanged: number;
  readonly failed: number;
}

/** The event about an import, as far as it has come. */
export interface ImportEvent extends ImportCounts {
  readonly id: string;
  /** True if its id is sent to the queue after this round trip. Then no more links are added to it. */
  readonly isLast: boolean;
}

/** The state of the database for a row. */
export interface RowState {
  readonly isDomainOk: boolean;
  /** True if its domain is pending, so that the link would wait for it. */
  readonly isWaiting: boolean;
  /** True if slugs of its domain are case-sensitive. */
  readonly isCaseSensitive: boolean;
  /** The host of a destination that is a custom domain of the service, or null. */
  readonly ownHost: string | null;
  /** The host of a destination that the operator has blocked, or null. */
  readonly blockedHost: string | null;
  /** True if one of its addresses is below a link that passes paths on. */
  readonly isBelowOwner: boolean;
  /** True if it passes paths on, and there are links below it. */
  readonly hasBelow: boolean;
  /** True if a link of the client has its external id. */
  readonly isExternalIdTaken: boolean;
  /** The number of tags of the client, and the tags of the row that it does not have, without case. */
  readonly tagsOfClient: number;
  readonly missingTags: readonly string[];
  /** The number of characters of a generated slug on its host. */
  readonly slugLength: number;
  /** For a row without a slug: a link of the client that is equal. */
  readonly equal: ManagedLink | null;
  /**
   * Which of its slug and aliases are taken; `link` is the link that has the slug, if it is a link of the client that
   * is not deleted.
   */
  readonly taken: readonly TakenSlug[];
}

interface TakenSlug {
  readonly slug: string;
  /** The slug that exists, which can differ in case. */
  readonly by: string;
  /** The deleted link of the client that has the slug and can be restored, by id. */
  readonly deletedOwner: string | null;
  readonly link: ManagedLink | null;
}

/** The client and the tags of a created link, and whether it waits for its domain. */
export interface Created {
  readonly clientId: string;
  readonly tags: string | null;
  readonly isWaiting: boolean;
}

export interface StepOutcome {
  readonly access: readonly AccessRow[];
  /** The facts about each created link that are known only now, by its id. */
  readonly created: ReadonlyMap<string, Created>;
  /** True if the event about the import is recorded. */
  readonly hasEvent: boolean;
  /** The state of each row that was asked about. */
  readonly states: readonly RowState[];
}
