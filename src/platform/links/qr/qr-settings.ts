import { LEVELS, type QrOptions } from '../../../links/qr/options.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import type { FormState } from '../../forms/form.ts';
import type { Option } from '../../kit/form.tsx';
import type { OfLink } from '../page/link-frame.tsx';
import { linkPath } from '../paths.ts';

/** The settings of a QR code as the pages have them: in forms and in addresses. */

/** The field of a logo that was sent before, in base64. */
export const KEPT_LOGO = 'kept_logo';

/** The values that the form offers; the address may have other numbers. */
export const MARGINS = Array.from({ length: 11 }, (_, modules) => modules);
// A module of the longest code has two pixels of the smallest picture.
export const SIZES = [512, 1024, 2048] as const;

export const MARGIN_OPTIONS: readonly Option[] = MARGINS.map((modules) => ({
  value: String(modules),
  label: modules === 1 ? '1 module' : `${modules} modules`,
}));

export const SIZE_OPTIONS: readonly Option[] = SIZES.map((size) => ({
  value: String(size),
  label: `${size} × ${size} pixels`,
}));

const RESTORED = { L: 7, M: 15, Q: 25, H: 30 } as const satisfies Record<(typeof LEVELS)[number], number>;

export const LEVEL_OPTIONS: readonly Option[] = LEVELS.map((level) => ({
  value: level,
  label: `${level}, restores ${RESTORED[level]}%`,
}));

export const MARKER_OPTIONS: readonly Option[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** The options as the fields of the form. */
export const settingsOf = (options: QrOptions): Record<string, string> =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]));

/** The address of a page or a file below a link, with these options. */
export function qrAddress({ client, link }: Pick<OfLink, 'client' | 'link'>, options: QrOptions, kind: string): string {
  const query = new URLSearchParams({ ...settingsOf(options), ...withoutHash(options) });
  if (options.marker) query.delete('marker');
  return `${linkPath(client, link.id, kind === 'svg' || kind === 'png' ? `qr.${kind}` : kind)}?${String(query)}`;
}

// An address with `%23` is harder to read.
const withoutHash = ({ colour, background }: QrOptions) => ({
  colour: colour.slice(1),
  background: background.slice(1),
});

/** A refused form with its colours as their inputs take them; others are left out. */
export function withHash(form: FormState): FormState {
  const values = Object.entries(form.values).flatMap(([name, value]) => {
    if (name !== 'colour' && name !== 'background') return [[name, value]];
    return /^#?[\da-f]{6}$/i.test(value) ? [[name, `#${value.replace('#', '')}`]] : [];
  });
  return { ...form, values: Object.fromEntries(values) };
}

/** The name of the file of a link's code, without its ending. */
export const fileNameOf = ({ slug }: Pick<ManagedLink, 'slug'>): string => `qr-${slug.replaceAll('/', '-')}`;
