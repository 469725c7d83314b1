import type { Kind } from '../../../clicks/visitor.ts';
import { listType } from './condition-type.ts';

const NAMES: Readonly<Record<Kind, string>> = { human: 'a person', bot: 'a program', preview: 'a link preview' };

export const KINDS = Object.keys(NAMES);

export const visitor = listType({
  type: 'visitor',
  label: 'Visitor',
  fits: (kinds) => (visitor) => kinds.has(visitor.kind),
  nameOf: (kind) => NAMES[kind as Kind],
});
