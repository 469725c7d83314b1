import type { KeyScope } from '../../accounts/scopes.ts';
import type { PageWords } from '../words.tsx';

/** The scopes of keys and of applications, as a form offers them. */
export const scopesIn = ({
  text,
}: PageWords): readonly { readonly value: KeyScope; readonly label: string; readonly hint: string }[] => [
  { value: 'links:write', label: 'links:write', hint: text('keys.linksWrite') },
  { value: 'links:read', label: 'links:read', hint: text('keys.linksRead') },
  { value: 'stats:read', label: 'stats:read', hint: text('keys.statsRead') },
];
