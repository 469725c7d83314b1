import type { Kind } from '../../../clicks/visitor.ts';
import { listType } from './condition-type.ts';
import { findIn, knownValue } from './values.ts';

const NAMES: Readonly<Record<Kind, string>> = { human: 'a person', bot: 'a program', preview: 'a link preview' };
const KINDS = Object.keys(NAMES);

export const visitor = listType({
  type: 'visitor',
  label: 'Visitor',
  description: `Kinds of visitors: ${KINDS.join(', ')}`,
  value: () => knownValue(`one of ${KINDS.join(', ')}`, findIn(KINDS)),
  fits: (kinds) => (visitor) => kinds.has(visitor.kind),
  nameOf: (kind) => NAMES[kind as Kind],
});
