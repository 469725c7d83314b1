import { open } from './manage.ts';
import { seedDomain } from './seed.ts';

/** The destination of links that forward paths. */
export const TARGET = 'https://example.com/base?a=1#end';

/** A custom domain with a link `guide` that forwards its path, and a way to create further links there. */
export async function seedForwarding(fields: object = {}) {
  const manager = await open();
  const host = await seedDomain(manager.tenant);
  const make = (slug: string, more: object = {}) => manager.make({ url: TARGET, slug, custom_domain: host, ...more });
  const id = await make('guide', { forward_path: true, ...fields });
  return { manager, host, id, make };
}
