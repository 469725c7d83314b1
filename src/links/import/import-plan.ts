import { createHash } from 'node:crypto';
import { externalIdTaken } from '../edit/edit-refusals.ts';
import { pickContent } from '../fields/content.ts';
import { TakenPaths } from '../path-owners.ts';
import { keysOf } from '../slug.ts';
import { MAX_TAGS, tooManyTags } from '../tags/limits.ts';
import { foldedList } from '../tags/names.ts';
import { differs, failed, taken, type Decision, type OpenRow } from './import-decision.ts';
import { differencesOf, type ImportedLink } from './import-row.ts';
import type { RowState } from './import-store.ts';

/** The links that earlier rows of the file will create. */
export class Plan {
  readonly #byAddress = new Map<string, OpenRow>();
  readonly #byContent = new Map<string, OpenRow>();
  readonly #byExternalId = new Map<string, OpenRow>();
  readonly #paths = new TakenPaths();
  readonly #newTags = new Set<string>();

  /** All tags of earlier rows exist now. */
  begin(): void {
    this.#newTags.clear();
  }

  add(open: OpenRow, state: RowState): void {
    for (const address of addressesOf(open.row, state)) this.#byAddress.set(address, open);
    const { secId, externalId } = open.row;
    if (externalId !== null) this.#byExternalId.set(externalId, open);
    for (const tag of state.missingTags) this.#newTags.add(tag);
    // A row without a sec_id matches a link with any.
    for (const id of secId === null ? [null] : [secId, null]) {
      const content = contentOf(open.row, id);
      if (!this.#byContent.has(content)) this.#byContent.set(content, open);
    }
  }

  /** The decision for a row of which the database has no link: it is new, unless an earlier row is equal. */
  find({ index, row }: OpenRow, state: RowState, isPending: boolean): Decision {
    if (row.slug === null) {
      const equal = this.#byContent.get(contentOf(row, row.secId));
      if (equal !== undefined && equal.index !== index) return { status: 'follows', leader: equal.index };
      return this.#refuse(index, row, state) ?? { status: 'new' };
    }
    for (const [turn, address] of addressesOf(row, state).entries()) {
      const earlier = this.#byAddress.get(address);
      if (earlier === undefined || earlier.index === index) continue;
      if (turn > 0 || earlier.row.slug !== row.slug) {
        return failed(taken(slugsOf(row)[turn]!, slugsOf(earlier.row), isPending));
      }
      const differences = differencesOf(row, earlier.row);
      if (differences.length === 0) return { status: 'follows', leader: earlier.index };
      return failed(differs(row.slug, differences, `row ${earlier.number} of this file`));
    }
    const refusal = this.#refuse(index, row, state);
    if (refusal) return refusal;
    const conflict = slugsOf(row)
      .map((slug) => this.#paths.take({ ...row, slug }))
      .find(Boolean);
    return conflict ? failed(conflict) : { status: 'new' };
  }

  #refuse(index: number, { externalId }: ImportedLink, { tagsOfClient, missingTags }: RowState): Decision | null {
    const earlier = externalId === null ? undefined : this.#byExternalId.get(externalId);
    if (earlier !== undefined && earlier.index !== index) return failed(externalIdTaken());
    if (missingTags.length === 0) return null;
    const tags = tagsOfClient + new Set([...this.#newTags, ...missingTags]).size;
    return tags > MAX_TAGS ? failed(tooManyTags()) : null;
  }
}

const slugsOf = ({ slug, aliases }: ImportedLink): readonly string[] => (slug === null ? [] : [slug, ...aliases]);

function addressesOf(row: ImportedLink, { isCaseSensitive }: RowState): string[] {
  const keyOf = (text: string) => keysOf(text)[isCaseSensitive ? 'exact' : 'folded'];
  return slugsOf(row).map((text) => `${row.customDomain ?? ''}/${keyOf(text)}`);
}

export function isSameTwice(row: ImportedLink, state: RowState): boolean {
  const addresses = addressesOf(row, state);
  return new Set(addresses).size < addresses.length;
}

// A hash, since the contents would take as much memory as the file.
function contentOf(row: ImportedLink, secId: string | null) {
  const { customDomain, disabled, hasPassword } = row;
  const content = JSON.stringify([
    customDomain,
    disabled,
    hasPassword,
    { ...pickContent(row), secId, tags: foldedList(row.tags), importedClicks: null },
  ]);
  return createHash('sha256').update(content).digest('base64');
}
