import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../../accounts/access.ts';
import type { Statement } from '../../database/database.ts';

/** The SQL by which a client keeps presets. */

/** The kinds of presets, and the most of each kind that a client can have. */
export const MAX_PRESETS = { view: 50, utm: 100 } as const;
export type PresetKind = keyof typeof MAX_PRESETS;

export interface PresetRow {
  readonly id: string;
  readonly name: string;
  readonly content: string;
}

const OF_CLIENT = `p.client_id = ${SOLE_CLIENT} AND p.kind = ?8`;

/** In the order of the alphabet. */
export function selectPresets(actor: Actor, now: number, kind: PresetKind): Statement {
  return {
    sql: `${ACTING} SELECT id, name, content FROM presets p WHERE ${OF_CLIENT} ORDER BY folded LIMIT ${MAX_PRESETS[kind]}`,
    params: [...actingParams(actor, 'links:read', now), kind],
  };
}

interface NewPreset {
  readonly name: string;
  readonly folded: string;
  readonly content: string;
}

/** Inserts a preset, and returns its row, unless its name is taken or the client has too many. */
export function insertPreset(actor: Actor, now: number, kind: PresetKind, preset: NewPreset): Statement {
  return {
    sql: `${ACTING}
      INSERT INTO presets (client_id, kind, name, folded, content, created_at)
      SELECT client_id, ?8, ?9, ?10, ?11, ?5 FROM acting
      WHERE client_id = ${SOLE_CLIENT}
        AND (SELECT count(*) FROM presets p WHERE ${OF_CLIENT}) < ${MAX_PRESETS[kind]}
      ON CONFLICT DO NOTHING
      RETURNING id, name, content`,
    params: [...actingParams(actor, 'links:write', now), kind, preset.name, preset.folded, preset.content],
  };
}

/** Changes a preset, unless another one has the name; null keeps a value. */
export function updatePreset(
  actor: Actor,
  now: number,
  kind: PresetKind,
  id: string,
  { name, folded, content }: { readonly [Part in keyof NewPreset]: string | null },
): Statement {
  return {
    sql: `${ACTING}
      UPDATE presets AS p
      SET name = coalesce(?10, name), folded = coalesce(?11, folded), content = coalesce(?12, content)
      WHERE p.id = ?9 AND ${OF_CLIENT} AND NOT EXISTS (
        SELECT 1 FROM presets o
        WHERE o.client_id = p.client_id AND o.kind = p.kind AND o.folded = ?11 AND o.id <> p.id)
      RETURNING id, name, content`,
    params: [...actingParams(actor, 'links:write', now), kind, id, name, folded, content],
  };
}

/** Deletes a preset, and returns its row if it did. */
export function deletePresetRow(actor: Actor, now: number, kind: PresetKind, id: string): Statement {
  return {
    sql: `${ACTING} DELETE FROM presets AS p WHERE p.id = ?9 AND ${OF_CLIENT} RETURNING id`,
    params: [...actingParams(actor, 'links:write', now), kind, id],
  };
}
