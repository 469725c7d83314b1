import * as z from 'zod';
import { authorize, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import { normalizeBounded, MAX_UNITS_OF_CHARACTER } from '../../text/nfc.ts';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import { foldCase, isSeen } from '../../text/look-alikes.ts';
import { fault, WITHOUT_CONTROLS } from '../../input/validation.ts';
import { textUpTo } from '../../input/schemas.ts';
import {
  deletePresetRow,
  insertPreset,
  MAX_PRESETS,
  selectPresets,
  updatePreset,
  type PresetKind,
  type PresetRow,
} from './preset-store.ts';

export type { PresetKind };

/** A thing that the users of a client keep by a name, for all of them: a view of the list of links, or UTM fields. */
export interface Preset {
  readonly id: string;
  readonly name: string;
  /** A text of its kind, which the caller has checked. */
  readonly content: string;
}

const MAX_CHARACTERS = 50;
const MAX_UNITS = MAX_CHARACTERS * MAX_UNITS_OF_CHARACTER;

/** The name of a preset. Spaces around it are removed. */
export const presetName = lazy(() =>
  z
    .string()
    .refine((text) => text.length <= MAX_UNITS, {
      error: `must be at most ${MAX_CHARACTERS} characters long`,
      ...fault('too_long'),
      abort: true,
    })
    .transform((text) => normalizeBounded(text, MAX_UNITS)?.trim() ?? '')
    .pipe(
      textUpTo(MAX_CHARACTERS)
        .regex(WITHOUT_CONTROLS, 'must not contain control characters')
        .refine(isSeen, { error: `must have 1 to ${MAX_CHARACTERS} characters, not only invisible ones` }),
    ),
);

/** Lists all presets of a kind, in the order of the alphabet. Throws what `authorize` throws. */
export async function listPresets(db: Database, actor: Actor, kind: PresetKind): Promise<readonly Preset[]> {
  const now = Date.now();
  const [access, presets] = await db.batch<[AccessRow, PresetRow]>([
    selectAccess(actor, 'links:read', now),
    selectPresets(actor, now, kind),
  ]);
  authorize(access, actor);
  return presets;
}

/** Returns one preset. Throws `not_found`, and what `authorize` throws. */
export async function getPreset(db: Database, actor: Actor, kind: PresetKind, id: string): Promise<Preset> {
  const preset = (await listPresets(db, actor, kind)).find((each) => each.id === id);
  if (!preset) throw noSuchPreset();
  return preset;
}

/** Creates a preset. Throws `edit_conflict` if the name is taken or there are too many, and what `authorize` throws. */
export async function createPreset(
  db: Database,
  actor: Actor,
  kind: PresetKind,
  { name, content }: Omit<Preset, 'id'>,
): Promise<Preset> {
  const now = Date.now();
  const [access, [row], presets] = await db.batch<[AccessRow, PresetRow, PresetRow]>([
    selectAccess(actor, 'links:write', now),
    insertPreset(actor, now, kind, { name, folded: foldCase(name), content }),
    selectPresets(actor, now, kind),
  ]);
  authorize(access, actor);
  if (row) return row;
  if (presets.length < MAX_PRESETS[kind]) throw nameTaken(name);
  throw conflict(`The limit of ${MAX_PRESETS[kind]} is reached. Delete one that is no longer used.`);
}

/** Changes the name or the content of a preset. Throws `not_found`, `edit_conflict`, and what `authorize` throws. */
export async function changePreset(
  db: Database,
  actor: Actor,
  kind: PresetKind,
  id: string,
  { name, content }: { readonly name?: string | undefined; readonly content?: string },
): Promise<Preset> {
  const now = Date.now();
  const folded = name === undefined ? null : foldCase(name);
  const [access, [row], presets] = await db.batch<[AccessRow, PresetRow, PresetRow]>([
    selectAccess(actor, 'links:write', now),
    updatePreset(actor, now, kind, id, { name: name ?? null, folded, content: content ?? null }),
    selectPresets(actor, now, kind),
  ]);
  authorize(access, actor);
  if (row) return row;
  if (!presets.some((each) => each.id === id)) throw noSuchPreset();
  throw nameTaken(name ?? '');
}

/** Deletes a preset. Throws `not_found`, and what `authorize` throws. */
export async function deletePreset(db: Database, actor: Actor, kind: PresetKind, id: string): Promise<void> {
  const now = Date.now();
  const [access, [deleted]] = await db.batch<[AccessRow, { readonly id: string }]>([
    selectAccess(actor, 'links:write', now),
    deletePresetRow(actor, now, kind, id),
  ]);
  authorize(access, actor);
  if (!deleted) throw noSuchPreset();
}

function noSuchPreset(): AppError {
  return new AppError('not_found', 'There is no such page.');
}

const nameTaken = (name: string) =>
  conflict(`The name ${name} is used already; upper and lower case do not matter. Choose another one.`);

function conflict(sentence: string): AppError {
  return new AppError('edit_conflict', sentence, { faults: [{ field: 'name', sentence }] });
}
