import { createHash } from 'node:crypto';
import { externalIdTaken } from '../edit/edit-refusals.ts';
import { TakenPaths } from '../slugs/path-owners.ts';
import { MAX_TAGS, tooManyTags } from '../tags/limits.ts';
import { differs, failed, taken, type Decision } from './import-decision.ts';
import { differencesOf } from './import-row.ts';
import type { RowState } from './import-step.ts';
import type { OpenRow } from './open-row.ts';

/** A row whose link will be created, without what is derived from it. */
type PlannedRow = Pick<OpenRow, 'index' | 'number' | 'row'>;

/** The links that earlier rows of the file will create. */
export class Plan {
  readonly #byAddress = new Map<string, PlannedRow>();
  readonly #byContent = new Map<string, PlannedRow>();
  readonly #byExternalId = new Map<string, PlannedRow>();
  readonly #paths = new TakenPaths();
  readonly #newTags = new Set<string>();
  readonly #comparesContents: boolean;

  /** @param comparesContents whether a row of the file has no slug, so that it can be equal to an earlier one */
  constructor(comparesContents: boolean) {
    this.#comparesContents = comparesContents;
  }

  /** All tags of earlier rows exist now. */
  begin(): void {
    this.#newTags.clear();
  }

  /**
   * The decision for a row without a link in the database: it is new, and from now on an earlier row, unless one is
   * equal.
   *
   * @param keys those of its slug and aliases that are unique on its host
   */
  take(open: OpenRow, keys: readonly string[], state: RowState, isPending: boolean): Decision {
    const addresses = keys.map((key) => `${open.row.customDomain ?? ''}/${key}`);
    const contents = this.#comparesContents ? contentsOf(open) : [];
    const decision = this.#decide(open, addresses, contents[0] ?? '', state, isPending);
    if (decision.status !== 'new') return decision;
    const { index, number, row } = open;
    const planned = { index, number, row };
    for (const address of addresses) this.#byAddress.set(address, planned);
    if (row.externalId !== null) this.#byExternalId.set(row.externalId, planned);
    for (const tag of state.missingTags) this.#newTags.add(tag);
    for (const content of contents) if (!this.#byContent.has(content)) this.#byContent.set(content, planned);
    return decision;
  }

  #decide(open: OpenRow, addresses: readonly string[], content: string, state: RowState, isPending: boolean): Decision {
    const { index, row, claims } = open;
    if (row.slug === null) {
      const equal = this.#byContent.get(content);
      if (equal !== undefined && equal.index !== index) return { status: 'follows', leader: equal.index };
      return this.#refuse(open, state) ?? { status: 'new' };
    }
    for (const [turn, address] of addresses.entries()) {
      const earlier = this.#byAddress.get(address);
      if (earlier === undefined || earlier.index === index) continue;
      if (turn > 0 || earlier.row.slug !== row.slug) {
        return failed(taken(claims[turn]!.slug, slugsOf(earlier), isPending));
      }
      const differences = differencesOf(row, earlier.row);
      if (differences.length === 0) return { status: 'follows', leader: earlier.index };
      return failed(differs(row.slug, differences, `row ${earlier.number} of this file`));
    }
    const refusal = this.#refuse(open, state);
    if (refusal) return refusal;
    if (row.customDomain === null) return { status: 'new' };
    const conflict = claims.map(({ slug }) => this.#paths.take({ ...row, slug })).find(Boolean);
    return conflict ? failed(conflict) : { status: 'new' };
  }

  #refuse({ index, row: { externalId } }: OpenRow, { tagsOfClient, missingTags }: RowState): Decision | null {
    const earlier = externalId === null ? undefined : this.#byExternalId.get(externalId);
    if (earlier !== undefined && earlier.index !== index) return failed(externalIdTaken());
    if (missingTags.length === 0) return null;
    const tags = tagsOfClient + new Set([...this.#newTags, ...missingTags]).size;
    return tags > MAX_TAGS ? failed(tooManyTags()) : null;
  }
}

const slugsOf = ({ row: { slug, aliases } }: PlannedRow): readonly string[] =>
  slug === null ? [] : [slug, ...aliases];

/**
 * Under which an equal row finds this one: its own content first, then that without a sec_id, since a row without one
 * matches a link with any. Hashes, since the contents would take as much memory as the file.
 */
function contentsOf({ row, content, foldedTags }: OpenRow): string[] {
  const { customDomain, disabled, hasPassword, secId } = row;
  return (secId === null ? [null] : [secId, null]).map((id) => {
    const compared = { ...content, secId: id, tags: foldedTags, importedClicks: null };
    const text = JSON.stringify([customDomain, disabled, hasPassword, compared]);
    return createHash('sha256').update(text).digest('base64');
  });
}
