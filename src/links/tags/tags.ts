import * as z from 'zod';
import { lazy } from '../../isolate/lazy.ts';
import { authorize, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import { listPage } from '../../accounts/list-page.ts';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import type { Page } from '../../input/pagination.ts';
import { parseFields } from '../../input/validation.ts';
import { tagName } from '../fields/tags.ts';
import { tooManyTags } from './limits.ts';
import { colourOf, foldTag, TAG_COLOURS, type TagColour } from './names.ts';
import {
  deleteTagRows,
  insertTag,
  selectColours,
  selectTag,
  selectTagNamed,
  selectTags,
  updateTag,
  type TagRow,
} from './tag-store.ts';

/** A tag of a client. */
export interface Tag {
  readonly id: string;
  readonly name: string;
  readonly colour: TagColour;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The number of links that have it, without deleted ones; more than `MAX_LINKS_COUNTED` are not counted. */
  readonly links: number;
}

const name = () =>
  tagName().meta({ description: 'The name; no other tag has it, regardless of case', example: 'Autumn' });
const colour = () =>
  z
    .enum(TAG_COLOURS, { error: `must be one of ${TAG_COLOURS.join(', ')}` })
    .meta({ description: 'The colour', example: 'orange' });

/** The body of `POST /v1/tags`. */
export const newTagFields = lazy(() =>
  z.strictObject({
    name: name(),
    colour: colour().optional().meta({ description: 'The colour; one that depends on the name if left out' }),
  }),
);

/** The body of `PATCH /v1/tags/{id}`: an absent field stays unchanged. */
export const tagChangeFields = lazy(() => z.strictObject({ name: name().optional(), colour: colour().optional() }));

/** Lists the tags of the actor's client in the order of the alphabet. Throws what `authorize` throws. */
export async function listTags(
  db: Database,
  actor: Actor,
  page: Page,
): Promise<{ tags: readonly Tag[]; cursor: string | null }> {
  const { items: tags, cursor } = await listPage(db, actor, page, {
    permission: 'links:read',
    select: (now) => selectTags(actor, now, page),
    positionOf: ({ folded }: TagRow) => [0, folded],
    toItem: toTag,
  });
  return { tags, cursor };
}

/** Gets a tag. Throws `not_found`, and what `authorize` throws. */
export async function getTag(db: Database, actor: Actor, id: string): Promise<Tag> {
  const now = Date.now();
  const [access, [row]] = await db.batch<[AccessRow, TagRow]>([
    selectAccess(actor, 'links:read', now),
    selectTag(actor, now, id, 'links:read'),
  ]);
  authorize(access, actor);
  if (!row) throw noSuchTag();
  return toTag(row);
}

/** A tag as it is shown beside a link. */
export type ColouredTag = Pick<Tag, 'id' | 'name' | 'colour'>;

/** All tags of the actor's client, in the order of the alphabet. Throws what `authorize` throws. */
export async function listColouredTags(db: Database, actor: Actor): Promise<readonly ColouredTag[]> {
  const now = Date.now();
  const [access, rows] = await db.batch<[AccessRow, ColouredTag]>([
    selectAccess(actor, 'links:read', now),
    selectColours(actor, now),
  ]);
  authorize(access, actor);
  return rows;
}

/** Creates a tag. Throws `tag_taken`, `too_many_tags`, and what `authorize` throws. */
export async function createTag(
  db: Database,
  actor: Actor,
  input: z.output<ReturnType<typeof newTagFields>>,
): Promise<Tag> {
  const now = Date.now();
  const folded = foldTag(input.name);
  const tag = { name: input.name, folded, colour: input.colour ?? colourOf(input.name) };
  const [access, [row], [named]] = await db.batch<[AccessRow, TagRow, TagRow]>([
    selectAccess(actor, 'links:write', now),
    insertTag(actor, now, tag),
    selectTagNamed(actor, now, folded),
  ]);
  authorize(access, actor);
  if (row) return toTag(row);
  throw named ? tagTaken(named.name) : tooManyTags();
}

/**
 * Creates a tag unless one has this name, regardless of case. Throws `invalid_name`, `too_many_tags`, and what
 * `authorize` throws.
 */
export async function ensureTagNamed(db: Database, actor: Actor, name: string): Promise<void> {
  try {
    await createTag(db, actor, parseFields(newTagFields(), { name }));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'tag_taken') throw error;
  }
}

/**
 * Changes the name or the colour of a tag, for all of its links. Throws `not_found`, `tag_taken`, and what `authorize`
 * throws.
 */
export async function changeTag(
  db: Database,
  actor: Actor,
  id: string,
  change: z.output<ReturnType<typeof tagChangeFields>>,
): Promise<Tag> {
  const now = Date.now();
  const folded = change.name === undefined ? null : foldTag(change.name);
  const values = { name: change.name ?? null, folded, colour: change.colour ?? null };
  const [access, , [changed], [row]] = await db.batch<[AccessRow, never, { readonly id: string }, TagRow]>([
    selectAccess(actor, 'links:write', now),
    ...updateTag(actor, now, id, values),
    selectTag(actor, now, id),
  ]);
  authorize(access, actor);
  if (!row) throw noSuchTag();
  if (!changed) throw tagTaken(change.name ?? row.name);
  return toTag(row);
}

/** Deletes a tag, and removes it from its links. Throws `not_found`, `tag_in_use`, and what `authorize` throws. */
export async function deleteTag(db: Database, actor: Actor, id: string): Promise<void> {
  const now = Date.now();
  const [access, , , [deleted], [row]] = await db.batch<[AccessRow, never, never, { readonly id: string }, TagRow]>([
    selectAccess(actor, 'links:write', now),
    ...deleteTagRows(actor, now, id),
    selectTag(actor, now, id),
  ]);
  authorize(access, actor);
  if (deleted) return;
  throw row ? tagInUse(row.name) : noSuchTag();
}

function toTag({ id, name, colour, created_at: createdAt, links }: TagRow): Tag {
  return { id, name, colour, createdAt, links };
}

function noSuchTag(): AppError {
  return new AppError('not_found', 'There is no tag with this id that you can access.');
}

function tagInUse(name: string): AppError {
  return new AppError(
    'tag_in_use',
    `A webhook sends only events about links with the tag ${name}. An owner must change or delete that webhook first.`,
  );
}

function tagTaken(name: string): AppError {
  return new AppError(
    'tag_taken',
    `A tag named ${name} already exists; upper and lower case do not matter. Choose another name.`,
  );
}
